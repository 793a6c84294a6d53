pub struct Tuning {
    pub tau: f64,
    pub opp: f64,
    pub mix: f64,
    pub rmix: f64,
    pub exploration: f64,
    pub reluctance: f64,
    pub line_share: f64,
    pub tempo: f64,
    pub batch: u64,
    pub threat_stones: u32,
    pub probe: u64,
}

impl Tuning {
    pub fn read() -> Tuning {
        let get =
            |name: &str, default: f64| std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default);
        Tuning {
            tau: get("M_TAU", 0.1),
            opp: get("M_OPP", 1.0),
            mix: get("M_MIX", 0.9),
            rmix: get("M_RMIX", 0.0),
            exploration: get("M_C", 1.0),
            reluctance: get("M_FPU", 0.2),
            line_share: get("M_LAMBDA", 0.5),
            tempo: get("M_TEMPO", 1.2),
            batch: get("M_BATCH", 512.0) as u64,
            threat_stones: get("M_VCF", 100.0) as u32,
            probe: get("M_PROBE", 20.0) as u64,
        }
    }
}
