//! Results of the engine as replies of the protocol.

use std::time::Duration;

use crate::engine::{GoResult, Options};
use crate::protocol::{Handshake, Info, Reply, ScoreBound, UciScore};
use noughts_core::game::{Cell, Score, Value};
use noughts_core::search::{PlayoutResults, SearchResult, Variation};

/// The answer to `help`.
pub const HELP: &str = "\
ugi, uci                     introduce the engine and its options
isready                      readyok, at once
newgame                      the empty board, search memory cleared
setoption <name> <value>     set an option; ugi lists them
position startpos [moves <move> ...]
position fen <board> [x|o] [moves <move> ...]
                             boards such as xo1/1x1/3, moves such as 1,2 or b2 or P@b2
go [trials N] [nodes N] [depth N] [movetime MS] [wtime MS] [btime MS]
   [winc MS] [binc MS] [movestogo N] [infinite]
                             search; ends with bestmove
stop                         end all searches asked for so far
eval                         draw the board with the value of every empty square
eval exact                   draw what Monte Carlo scores beside what it should, up to 9 cells
explain [<move>]             why the position is worth that, or the move right or wrong
trace <search> [events N] [trials N]
                             tell what a search does: minimax, alphabeta, negamax, mcts, ...
d                            draw the board
query p1turn|gameover|result|position|fen|moves|line
query islegal <move>         true or false
wait                         hold a later quit back until all is done
quit                         end the program";

/// Hands over all replies to a `go`: notes, a line for each of the best moves if several were asked for, the line that stands
/// for the whole search, and the move.
pub fn answer(found: &GoResult, options: &Options, handshake: Handshake, mut reply: impl FnMut(Reply)) {
    let variations = &found.result.lines;
    found.result.notes.iter().for_each(|note| reply(Reply::Note(note.to_string())));
    if options.multi_pv > 1 {
        for (number, variation) in (1..).zip(variations) {
            let info = info(found, variation.score, Some(variation), options, handshake);
            reply(Reply::Info(Info { multipv: Some(number), ..info }));
        }
    }
    reply(Reply::Info(summary(found, options, handshake)));
    reply(Reply::BestMove(variations.first().map(|variation| options.write_move(variation.first_move()))));
}

/// The line that stands for the whole search.
pub fn summary(found: &GoResult, options: &Options, handshake: Handshake) -> Info {
    info(found, found.result.score, found.result.lines.first(), options, handshake)
}

fn info(found: &GoResult, score: Score, line: Option<&Variation>, options: &Options, handshake: Handshake) -> Info {
    let result = &found.result;
    let expected = line.map_or(&[][..], |line| &line.principal_variation);
    // A win that may come sooner is worth at least its score; a loss that may come sooner, at most.
    let (plies, plies_at_most, score_bound) = match score {
        Score::Exact(value) => (value.plies(), None, None),
        Score::Within(Value::Win(plies)) => (None, Some(plies), Some(ScoreBound::Lower)),
        Score::Within(Value::Loss(plies)) => (None, Some(plies), Some(ScoreBound::Upper)),
        Score::Within(Value::Draw) | Score::Estimate(_) => (None, None, None),
    };
    Info {
        depth: Some(result.depth.into()),
        multipv: None,
        score: Some(uci_score(score, handshake)),
        score_bound,
        wdl: result.playouts.or(result.expected).map(per_mille),
        value: Some(score.expected_result()),
        proven: Some(score.proven().is_some()),
        plies: plies.map(u64::from),
        plies_at_most: plies_at_most.map(u64::from),
        trials: result.playouts.map(|playouts| playouts.count()),
        total: line.and_then(|line| line.total),
        nodes: Some(result.nodes),
        nps: Some(per_second(result.nodes, found.elapsed)),
        time: Some(u64::try_from(found.elapsed.as_millis()).unwrap_or(u64::MAX)),
        pv: expected.iter().map(|&cell| options.write_move(cell)).collect(),
    }
}

fn uci_score(score: Score, handshake: Handshake) -> UciScore {
    let distance = |plies: u16| match handshake {
        Handshake::Uci => i64::from(plies.div_ceil(2)),
        Handshake::Ugi => i64::from(plies),
    };
    match score.proven() {
        Some(Value::Win(plies)) => UciScore::Mate(distance(plies)),
        Some(Value::Loss(plies)) => UciScore::Mate(-distance(plies)),
        Some(Value::Draw) => UciScore::Cp(0),
        None => UciScore::Cp((100.0 * score.expected_result()).round() as i64),
    }
}

/// Shares of wins, draws and losses that add up to 1000: each is rounded down, and what is missing goes to the
/// largest remainders.
fn per_mille(results: PlayoutResults) -> [u16; 3] {
    let parts = [results.wins, results.draws, results.losses].map(u128::from);
    let count = u128::from(results.count().max(1));
    let mut shares = parts.map(|part| part * 1000 / count);
    let mut order = [0, 1, 2];
    order.sort_by_key(|&index| std::cmp::Reverse(parts[index] * 1000 % count));
    let missing = 1000 - shares.iter().sum::<u128>();
    order.into_iter().take(missing as usize).for_each(|index| shares[index] += 1);
    shares.map(|share| share as u16)
}

fn per_second(nodes: u64, elapsed: Duration) -> u64 {
    let nanoseconds = elapsed.as_nanos().max(1);
    u64::try_from(u128::from(nodes) * 1_000_000_000 / nanoseconds).unwrap_or(u64::MAX)
}

/// The answer with the best move so far: a move, the plies looked ahead, and the expected result from -1 to 1.
pub fn guess(cell: Cell, depth: u16, result: f64, elapsed: Duration) -> GoResult {
    let score = Score::Estimate(result);
    let lines = vec![Variation { score, principal_variation: vec![cell], total: None }];
    GoResult { result: SearchResult::new(score, lines, depth, 0), elapsed }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_add_up_to_a_thousand() {
        for wins in 0..30 {
            for draws in 0..30 {
                for losses in 0..30 {
                    if wins + draws + losses > 0 {
                        let shares = per_mille(PlayoutResults { wins, draws, losses });
                        assert_eq!(shares.iter().sum::<u16>(), 1000);
                    }
                }
            }
        }
        assert_eq!(per_mille(PlayoutResults { wins: 2, draws: 0, losses: 1 }), [667, 0, 333]);
        assert_eq!(per_mille(PlayoutResults { wins: u64::MAX / 4, draws: 0, losses: u64::MAX / 4 }), [500, 0, 500]);
    }

    #[test]
    fn mate_counts_moves_for_uci_and_plies_for_ugi() {
        let scores =
            |value| (uci_score(Score::Exact(value), Handshake::Uci), uci_score(Score::Exact(value), Handshake::Ugi));
        assert_eq!(scores(Value::Win(3)), (UciScore::Mate(2), UciScore::Mate(3)));
        assert_eq!(scores(Value::Win(1)), (UciScore::Mate(1), UciScore::Mate(1)));
        assert_eq!(scores(Value::Loss(4)), (UciScore::Mate(-2), UciScore::Mate(-4)));
        assert_eq!(scores(Value::Loss(0)), (UciScore::Mate(0), UciScore::Mate(0)));
        assert_eq!(scores(Value::Draw), (UciScore::Cp(0), UciScore::Cp(0)));
    }
}
