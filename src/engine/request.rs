//! Requests to an engine, and their results.

use noughts_core::game::{Cell, Position};
use noughts_core::search::Explanation;

use super::go_request::{GoRequest, GoResult};
use super::options::Options;
use super::search_plan::SearchPlan;
use super::trace::{Trace, TraceRequest};

/// A request to an engine.
#[derive(Debug)]
pub enum EngineRequest {
    /// Search for a move, by this plan.
    Go(Box<SearchPlan>),
    /// Say why a position is worth what it is, or what a move does to it.
    Explain(Box<ExplainRequest>),
    /// Hand out what a search does, step by step.
    Trace(Box<TraceRequest>),
}

impl EngineRequest {
    /// Makes the plan of a request.
    pub fn go(request: GoRequest) -> EngineRequest {
        EngineRequest::Go(Box::new(SearchPlan::new(request)))
    }

    /// The plan, where the request has one.
    pub fn plan(&self) -> Option<&SearchPlan> {
        match self {
            EngineRequest::Go(plan) => Some(plan),
            EngineRequest::Explain(_) | EngineRequest::Trace(_) => None,
        }
    }

    /// True if the answer comes within about a millisecond, so that the search needs no thread of its own.
    pub fn is_quick(&self) -> bool {
        match self {
            EngineRequest::Go(plan) => plan.is_quick(),
            EngineRequest::Explain(request) => request.position.outcome().is_some(),
            EngineRequest::Trace(request) => request.position.outcome().is_some(),
        }
    }

    /// True if the answer is held back until `stop`.
    pub fn is_infinite(&self) -> bool {
        self.plan().is_some_and(SearchPlan::is_infinite)
    }

    /// True if the search is effectively unbounded: more than an hour, and more than 2^31 nodes.
    pub fn is_unbounded(&self) -> bool {
        match self {
            EngineRequest::Go(plan) => plan.is_unbounded(),
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
