//! Requests to an engine, and their results.

use std::sync::Arc;

use noughts_core::game::{Cell, Position};
use noughts_core::search::Explanation;

use super::go_request::{GoRequest, GoResult};
use super::options::Options;
use super::search_plan::SearchPlan;
use super::trace::{Trace, TraceRequest};

/// A request to an engine.
pub enum EngineRequest {
    /// Search for a move.
    Go {
        /// The request itself.
        request: Arc<GoRequest>,
        /// The plan by which the engine answers it.
        plan: Box<SearchPlan>,
    },
    /// Say why a position is worth what it is, or what a move does to it.
    Explain(Box<ExplainRequest>),
    /// Hand out what a search does, step by step.
    Trace(Box<TraceRequest>),
}

impl EngineRequest {
    /// Makes the plan of a request.
    pub fn go(request: GoRequest) -> EngineRequest {
        let plan = Box::new(SearchPlan::new(&request));
        EngineRequest::Go { request: Arc::new(request), plan }
    }

    /// True if the search is effectively unbounded: more than an hour, and more than 2^31 nodes.
    pub fn is_unbounded(&self) -> bool {
        match self {
            EngineRequest::Go { plan, .. } => plan.is_unbounded(),
            EngineRequest::Explain(_) => false,
            EngineRequest::Trace(request) => request.is_unbounded(),
        }
    }
}

/// The result of a request.
#[derive(Clone, PartialEq, Debug)]
pub enum EngineResult {
    /// To [`EngineRequest::Go`].
    Go(GoResult),
    /// To [`EngineRequest::Explain`].
    Explanation(Box<Explanation>),
    /// To [`EngineRequest::Trace`].
    Trace(Box<Trace>),
}

/// A request to explain a position or a move.
#[derive(Clone, Copy, Debug)]
pub struct ExplainRequest {
    /// The position; the game may be over.
    pub position: Position,
    /// A legal move of it, or `None` when the request is about the position itself.
    pub cell: Option<Cell>,
    /// The options at the time of the request.
    pub options: Options,
}
