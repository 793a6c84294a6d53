//! What all clients of one run share.

use std::sync::Arc;
use std::time::Duration;

use super::{EngineLog, Interrupt, OrphanKiller};

/// How long `readyok` may take between moves, unless the start limit is shorter.
const READY_PATIENCE: Duration = Duration::from_secs(5);

/// What all clients of one run share.
#[derive(Clone)]
pub struct RunContext {
    /// Ends every wait once it is set.
    pub interrupt: Arc<Interrupt>,
    /// Ends engines that would outlive the run.
    pub orphan_killer: Arc<OrphanKiller>,
    /// Where every line of every engine is written, if anywhere.
    pub log: Option<Arc<EngineLog>>,
    /// How long an engine may take until it has introduced itself and is ready.
    pub start_limit: Duration,
}

impl RunContext {
    /// How long `readyok` may take between moves.
    pub fn ready_patience(&self) -> Duration {
        READY_PATIENCE.min(self.start_limit)
    }
}
