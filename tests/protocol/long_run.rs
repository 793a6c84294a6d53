//! A process that plays on and on needs no more memory than at its beginning.

#![cfg(target_os = "linux")]

use crate::common::program::Program;

/// Plays whole games against itself, several searches in one write.
fn play(program: &mut Program, games: usize, size: usize) {
    let cells: Vec<String> = (0..size * size).map(|index| format!("{},{}", index / size, index % size)).collect();
    // Cells in reading order until the first line is complete: searches on the way, and one of the finished game.
    let mut game = String::from("newgame\n");
    for plies in 0..=2 * size + 1 {
        game.push_str(&format!("position startpos moves {}\ngo trials 20\n", cells[..plies].join(" ")));
    }
    let searches = game.matches("go ").count();
    for _ in 0..games.div_ceil(50) {
        program.send(game.repeat(50));
        for _ in 0..50 * searches {
            program.until("bestmove");
        }
    }
}

#[test]
fn memory_does_not_grow_over_a_hundred_thousand_games() {
    let mut program = Program::start();
    program.send("setoption player montecarlo\n");
    play(&mut program, 1000, 3);
    program.send("setoption player auto\n");
    play(&mut program, 1000, 3);
    let before = program.memory();
    play(&mut program, 50_000, 3);
    program.send("setoption player montecarlo\n");
    play(&mut program, 50_000, 3);
    program.assert_alive();
    let after = program.memory();
    assert!(after <= before + 512, "{before} KiB at first, {after} KiB at the end");
}
