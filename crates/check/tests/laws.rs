//! Laws: whatever the checker accepts about small positions is true, by trying all moves.

mod common;

use common::{Game, Place, Random, cells, fault, minimal, taken, without};
use noughts_check::{Options, check};
use std::collections::HashMap;

/// The words of a claim, its attacker and its limit.
type Claim = (String, usize, Option<u32>);

fn claim(kind: &str, attacker: usize, limit: Option<u32>) -> Claim {
    let within = limit.map_or(String::new(), |limit| format!(" within {limit}"));
    (format!("{kind} {}{within}", ["x", "o"][attacker]), attacker, limit)
}

fn any_claim(game: &Game, place: &Place, random: &mut Random, kind: &str) -> Claim {
    let attacker = random.below(2);
    let limit = 1 + random.below(game.empty(place).count_ones() as usize + 1) as u32;
    let has_limit = kind != "cannot" || !random.chance(60);
    claim(kind, attacker, has_limit.then_some(limit))
}

fn holds(game: &Game, place: &Place, claim: &Claim) -> bool {
    let plies = game.plies(place, claim.1, &mut HashMap::new());
    let wins = plies <= claim.2.unwrap_or(999);
    if claim.0.starts_with("wins") { wins } else { !wins }
}

fn any_game(random: &mut Random, reverse: bool) -> Game {
    let size = 2 + random.below(3);
    Game::new(size, (2 + random.below(3)).min(size), reverse)
}

/// True if the checker accepts the record. Then the claim has to hold.
fn is_accepted_and_true(game: &Game, place: &Place, claim: &Claim, record: String) -> bool {
    let accepted = game.accepts(place, 0, &claim.0, std::slice::from_ref(&record));
    let at = || format!("{} {}: {} by {record}", game.start(), game.board(place, 0), claim.0);
    assert!(!accepted || holds(game, place, claim), "{}", at());
    accepted
}

/// Tries a rule with random witnesses and compares what is accepted with the truth.
fn try_rule(
    seed: u64,
    kind: &str,
    reverse: bool,
    tries: usize,
    least: usize,
    record: impl Fn(&Game, &Place, &mut Random) -> String,
) {
    let mut random = Random(seed);
    let mut accepted = 0;
    for _ in 0..tries {
        let game = any_game(&mut random, reverse);
        let place = game.random_place(&mut random, 9);
        let claim = any_claim(&game, &place, &mut random, kind);
        let record = record(&game, &place, &mut random);
        accepted += usize::from(is_accepted_and_true(&game, &place, &claim, record));
    }
    assert!(accepted >= least, "only {accepted} accepted");
}

/// Some empty cells in a random order.
fn some_cells(game: &Game, place: &Place, random: &mut Random, from: usize, most: usize) -> Vec<usize> {
    let mut found: Vec<usize> = cells(game.empty(place)).collect();
    random.shuffle(&mut found);
    found.truncate(from + random.below(most + 1 - from));
    found
}

/// Random pairs: often two cells of a line, and cells that come late less often.
fn some_pairs(game: &Game, place: &Place, random: &mut Random, leave_out: &[usize]) -> Vec<usize> {
    let mut lines: Vec<u32> = [game.live(place, 0), game.live(place, 1)].concat();
    random.shuffle(&mut lines);
    let mut free = game.empty(place);
    leave_out.iter().for_each(|cell| free &= !(1 << cell));
    let mut pairs = Vec::new();
    for line in lines {
        let mut choice: Vec<usize> = cells(line & free).collect();
        random.shuffle(&mut choice);
        if choice.len() >= 2 && random.chance(85) {
            choice[..2].iter().for_each(|cell| free &= !(1 << cell));
            pairs.extend(&choice[..2]);
        }
    }
    pairs
}

/// A record of a rule with the cells that stand first, or `-` for none, and with pairs behind them.
fn with_pairs(game: &Game, rule: &str, first: &[usize], pairs: &[usize]) -> String {
    let first = if first.is_empty() { "-".to_string() } else { game.names(first, ";") };
    format!("{rule} {first} {}", game.names(pairs, " ")).trim_end().to_string()
}

fn grouped(game: &Game, place: &Place, random: &mut Random, rule: &str, most_first: usize) -> String {
    let first = if random.chance(30) { Vec::new() } else { some_cells(game, place, random, 0, most_first) };
    let pairs = if random.chance(20) { Vec::new() } else { some_pairs(game, place, random, &first) };
    with_pairs(game, rule, &first, &pairs)
}

#[test]
fn what_none_proves_is_true() {
    try_rule(11, "cannot", false, 3000, 300, |_, _, _| "none".into());
    try_rule(12, "cannot", true, 3000, 300, |_, _, _| "none".into());
}

#[test]
fn what_potential_proves_is_true() {
    try_rule(21, "cannot", false, 4000, 300, |_, _, _| "potential".into());
    try_rule(22, "cannot", true, 4000, 300, |_, _, _| "potential".into());
}

#[test]
fn what_pairs_prove_is_true() {
    try_rule(31, "cannot", false, 15000, 300, |game, place, random| grouped(game, place, random, "pairs", 1));
}

#[test]
fn what_survive_proves_is_true() {
    try_rule(41, "cannot", true, 15000, 300, |game, place, random| grouped(game, place, random, "survive", 3));
}

/// Cells that a player loses by under the reverse rule.
fn poison(game: &Game, place: &Place, player: usize) -> Vec<usize> {
    cells(game.empty(place)).filter(|cell| game.has_line(place.stones[player] | 1 << cell)).collect()
}

#[test]
fn what_parity_proves_is_true() {
    try_rule(51, "wins", true, 18000, 50, |game, place, random| {
        let mut kept = poison(game, place, random.below(2));
        kept.retain(|_| random.chance(80));
        let pairs = if random.chance(50) { Vec::new() } else { some_pairs(game, place, random, &kept) };
        with_pairs(game, "parity", &kept, &pairs)
    });
}

/// A record of `rule` with pairs of poison of the prover and poison of the opponent, mostly in this order; none without such
/// cells.
fn exchange(game: &Game, place: &Place, random: &mut Random, rule: &str, prover: usize) -> Option<String> {
    let [mut own, mut other] = [prover, 1 - prover].map(|player| poison(game, place, player));
    own.retain(|cell| !other.contains(cell));
    random.shuffle(&mut own);
    random.shuffle(&mut other);
    let mut pairs: Vec<usize> = own.iter().zip(&other).flat_map(|(&first, &second)| [first, second]).collect();
    if pairs.is_empty() {
        return None;
    }
    let mut kept = other.split_off(pairs.len() / 2);
    if rule == "survive" {
        kept.extend(&own[pairs.len() / 2..]);
    }
    // The rest has one more cell, or one less, for the parity.
    let rest = game.empty(place).count_ones() as usize - kept.len();
    if (rest % 2 == 1) != (place.to_move == prover) {
        match rule {
            "survive" => {
                kept.extend(cells(game.empty(place)).find(|cell| !kept.contains(cell) && !pairs.contains(cell)))
            }
            _ => drop(kept.pop()),
        }
    }
    if random.chance(10) {
        pairs.swap(0, 1);
    }
    let others = some_pairs(game, place, random, &[&kept[..], &pairs].concat());
    Some(with_pairs(game, rule, &kept, &[pairs, others].concat()))
}

#[test]
fn what_exchanged_poison_proves_is_true() {
    let mut random = Random(55);
    let mut accepted = [0, 0];
    for _ in 0..12000 {
        let game = any_game(&mut random, true);
        let place = game.random_place(&mut random, 9);
        for (kind, rule) in ["survive", "parity"].into_iter().enumerate() {
            let prover = random.below(2);
            let Some(record) = exchange(&game, &place, &mut random, rule, prover) else { continue };
            let limit = game.empty(&place).count_ones().saturating_sub(random.below(3) as u32).max(1);
            let claim = match rule {
                "parity" => claim("wins", prover, Some(limit)),
                _ => claim("cannot", 1 - prover, Some(limit).filter(|_| random.chance(50))),
            };
            accepted[kind] += usize::from(is_accepted_and_true(&game, &place, &claim, record));
        }
    }
    assert!(accepted[0] >= 100 && accepted[1] >= 25, "{accepted:?}");
}

#[test]
fn what_fours_prove_is_true() {
    try_rule(61, "wins", false, 15000, 200, |game, place, random| {
        let mut place = *place;
        let mut sequence = Vec::new();
        for _ in 0..1 + random.below(4) {
            let makes_gap = |&cell: &usize| {
                let stones = place.stones[place.to_move] | 1 << cell;
                cells(game.empty(&place) & !(1 << cell)).any(|gap| game.has_line(stones | 1 << gap))
            };
            let mut choice: Vec<usize> = cells(game.empty(&place)).filter(makes_gap).collect();
            random.shuffle(&mut choice);
            let Some(&cell) = choice.first() else { break };
            sequence.push(cell);
            let stones = place.stones[place.to_move] | 1 << cell;
            let gap = cells(game.empty(&place) & !(1 << cell)).find(|gap| game.has_line(stones | 1 << gap));
            place = game.after(&place, cell);
            place = game.after(&place, gap.unwrap());
        }
        if sequence.is_empty() || random.chance(5) {
            sequence = some_cells(game, &place, random, 1, 3);
        }
        format!("fours {}", game.names(&sequence, " "))
    });
}

#[test]
fn what_mirror_proves_is_true() {
    let mut random = Random(71);
    let mut accepted = 0;
    for _ in 0..4000 {
        let game = any_game(&mut random, true);
        let cells = game.size * game.size;
        let mut place = Place { stones: [0, 0], to_move: random.below(2) };
        for cell in 0..cells / 2 {
            let player = random.below(4);
            if player < 2 || (cells > 9 && player == 2) {
                let player = player % 2;
                place.stones[player] |= 1 << cell;
                place.stones[1 - player] |= 1 << (cells - 1 - cell);
            }
        }
        if cells % 2 == 1 && random.chance(60) {
            place.stones[random.below(2)] |= 1 << (cells / 2);
        }
        let empty = game.empty(&place).count_ones();
        if game.has_line(place.stones[0]) || game.has_line(place.stones[1]) || empty == 0 || empty > 12 {
            continue;
        }
        for kind in ["cannot", "wins"] {
            let claim = any_claim(&game, &place, &mut random, kind);
            if game.accepts(&place, 0, &claim.0, &["mirror".into()]) {
                accepted += 1;
                assert!(holds(&game, &place, &claim), "{} {}: {}", game.start(), game.board(&place, 0), claim.0);
            }
        }
    }
    assert!(accepted > 300, "only {accepted} accepted");
}

/// The image of a cell under a symmetry, as the page says it.
fn image(game: &Game, cell: usize, symmetry: usize) -> usize {
    let (mut row, mut column) = (cell / game.size, cell % game.size);
    if symmetry / 2 % 2 == 1 {
        row = game.size - 1 - row;
    }
    if symmetry % 2 == 1 {
        column = game.size - 1 - column;
    }
    if symmetry >= 4 { column * game.size + row } else { row * game.size + column }
}

#[test]
fn what_follows_from_a_true_lemma_is_true() {
    for (seed, reverse) in [(81, false), (82, true)] {
        let mut random = Random(seed);
        let mut accepted = [0, 0];
        for _ in 0..12000 {
            let game = any_game(&mut random, reverse);
            let there = game.random_place(&mut random, 8);
            let kind = if random.chance(50) { "wins" } else { "cannot" };
            let mut lemma = any_claim(&game, &there, &mut random, kind);
            let plies = game.plies(&there, lemma.1, &mut HashMap::new());
            // The strongest true claim of this kind.
            let name = ["x", "o"][lemma.1];
            lemma = match kind {
                "wins" if plies < 1000 => (format!("wins {name} within {plies}"), lemma.1, Some(plies)),
                "cannot" if plies == 1000 => (format!("cannot {name}"), lemma.1, None),
                "cannot" if plies > 1 => (format!("cannot {name} within {}", plies - 1), lemma.1, Some(plies - 1)),
                _ => continue,
            };
            let symmetry = random.below(8);
            let turn = |stones: u32| cells(stones).fold(0, |set, cell| set | 1 << image(&game, cell, symmetry));
            let mut here = Place { stones: there.stones.map(turn), to_move: there.to_move };
            for _ in 0..random.below(4) {
                let bit = 1 << random.below(game.size * game.size);
                here.stones = here.stones.map(|stones| stones & !bit);
                if random.chance(65) {
                    here.stones[random.below(2)] |= bit;
                }
            }
            let empty = game.empty(&here).count_ones();
            if empty == 0 || empty > 9 || here.stones.iter().any(|&stones| game.has_line(stones)) {
                continue;
            }
            let mut node = lemma.clone();
            if random.chance(30) {
                node = any_claim(&game, &here, &mut random, kind);
            }
            // The other block, which is not checked, has no records.
            let text = format!(
                "{}lemma 1 {} {}\nlemma 2 {} {}\nuse 1 {symmetry}\nstop\n",
                game.start(),
                game.board(&there, 0),
                lemma.0,
                game.board(&here, 0),
                node.0
            );
            let (record, said) = fault(&text, &Options { shard: Some((2, 2)), ..Options::default() }).unwrap();
            if record == 8 {
                accepted[usize::from(here.stones != there.stones.map(turn))] += 1;
                assert!(holds(&game, &here, &node), "{text}");
            } else {
                assert!(said.contains("lemma"), "{text}{said}");
                assert!(here.stones != there.stones.map(turn) || node.0 != lemma.0, "{text}{said}");
            }
        }
        assert!(accepted[0] > 500 && accepted[1] > if reverse { 20 } else { 300 }, "only {accepted:?} accepted");
    }
}

/// A random proof of the weak game that is often right.
fn weak_proof(game: &Game, lines: &[u32], maker: bool, random: &mut Random, proof: &mut Vec<String>) {
    let union = lines.iter().fold(0, |all, line| all | line);
    let mut all: Vec<usize> = cells(union).collect();
    random.shuffle(&mut all);
    if all.is_empty() || proof.len() > 400 {
        return proof.push("none".into());
    }
    let through = |cell: usize| lines.iter().filter(|&line| line >> cell & 1 == 1).collect::<Vec<_>>();
    let sum: u32 = lines.iter().map(|line| 1 << (game.connect as u32 - line.count_ones())).sum();
    if random.chance(40) && sum << u32::from(maker) < 1 << game.connect {
        return proof.push("potential".into());
    }
    if random.chance(20) {
        let (mut free, mut words) = (union, vec!["pairs".to_string(), "-".to_string()]);
        if !maker {
            words[1] = game.name(all[0]);
            free &= !(1 << all[0]);
        }
        let left = lines.iter().filter(|&line| maker || line >> all[0] & 1 == 0).all(|line| {
            let pair: Vec<usize> = cells(line & free).take(2).collect();
            pair.iter().for_each(|&cell| free &= !(1 << cell));
            words.extend(pair.iter().map(|&cell| game.name(cell)));
            pair.len() == 2
        });
        if left {
            return proof.push(words.join(" "));
        }
    }
    let twins = |&(a, b): &(usize, usize)| a != b && through(a) == through(b);
    let two: Vec<(usize, usize)> = all.iter().flat_map(|&a| all.iter().map(move |&b| (a, b))).collect();
    // Now and then the cells are chosen at random, so that conditions are not met.
    let (wild_equal, wild_free) = (random.chance(8), random.chance(15));
    let part = |&(a, b): &(usize, usize)| a != b && through(a).iter().all(|line| through(b).contains(line));
    let almost = |&(a, b): &(usize, usize)| wild_equal && (part(&(a, b)) || part(&(b, a)));
    if let Some(&(a, b)) = two.iter().find(|two| almost(two) || twins(two)).filter(|_| wild_equal || random.chance(40))
    {
        proof.push(format!("equal {} {}", game.name(a), game.name(b)));
        return weak_proof(game, &without(lines, a), maker, random, proof);
    }
    if !maker {
        let good = all.iter().find(|&&cell| game.breaker_wins(&without(lines, cell), true));
        let cell = *good.unwrap_or(&all[0]);
        proof.push(format!("move {}", game.name(cell)));
        return weak_proof(game, &without(lines, cell), true, random, proof);
    }
    let pair = |&(a, b): &(usize, usize)| a != b && lines.contains(&(1 << a | 1 << b));
    let free = |cells: &(usize, usize)| pair(cells) && (wild_free || through(cells.1).len() == 1);
    if let Some(&(a, b)) = two.iter().find(|pair| free(pair)).filter(|_| wild_free || random.chance(40)) {
        proof.push(format!("free {} {}", game.name(a), game.name(b)));
        return weak_proof(game, &without(&taken(lines, a), b), true, random, proof);
    }
    // The strongest moves first: the more lines a cell is in, the more its zone says.
    all.sort_by_key(|&cell| std::cmp::Reverse(through(cell).len()));
    let listed = if random.chance(30) { all.len() } else { 1 + random.below(all.len().min(5)) };
    let listed = &all[..listed];
    proof.push(format!("zone {}", game.names(listed, " ")));
    listed.iter().for_each(|&cell| weak_proof(game, &taken(lines, cell), false, random, proof));
}

#[test]
fn what_the_weak_game_proves_is_true_with_its_zone() {
    let mut random = Random(91);
    let (mut accepted, mut smaller, mut zones) = (0, 0, 0);
    for _ in 0..14000 {
        let game = any_game(&mut random, false);
        let place = game.random_place(&mut random, 10);
        let maker = random.below(2);
        let lines = minimal(game.live(&place, maker));
        let to_move = place.to_move == maker;
        let mut proof = Vec::new();
        weak_proof(&game, &lines, to_move, &mut random, &mut proof);
        let claim = format!("weak {}", ["x", "o"][maker]);
        let mut zone = game.empty(&place);
        if !game.accepts(&place, zone, &claim, &proof) {
            continue;
        }
        accepted += 1;
        zones += usize::from(proof.iter().any(|record| record.starts_with("zone")));
        // The smallest zone that is accepted.
        for cell in cells(zone) {
            if game.accepts(&place, zone & !(1 << cell), &claim, &proof) {
                zone &= !(1 << cell);
                smaller += 1;
            }
        }
        let granted = minimal(lines.iter().map(|line| line & zone).collect());
        assert!(game.breaker_wins(&granted, to_move), "{} {} {proof:?}", game.start(), game.board(&place, zone));
        let plies = game.plies(&place, maker, &mut HashMap::new());
        assert_eq!(plies, 1000, "{} {} {proof:?}", game.start(), game.board(&place, zone));
    }
    assert!(
        accepted > 1500 && smaller > 500 && zones > 200,
        "only {accepted} with {smaller} smaller and {zones} zones"
    );
}

#[test]
fn what_follows_from_a_true_weak_lemma_is_true_with_its_zone() {
    let mut random = Random(95);
    let mut accepted = 0;
    for _ in 0..10000 {
        let game = any_game(&mut random, false);
        let there = game.random_place(&mut random, 8);
        let (maker, symmetry) = (random.below(2), random.below(8));
        // A zone that is true: cells are left out as long as Breaker wins.
        let mut zone = game.empty(&there);
        let wins = |zone: u32| {
            let lines = minimal(game.live(&there, maker).iter().map(|line| line & zone).collect());
            game.breaker_wins(&lines, there.to_move == maker)
        };
        if !wins(zone) {
            continue;
        }
        for cell in cells(zone) {
            if wins(zone & !(1 << cell)) {
                zone &= !(1 << cell);
            }
        }
        let turn = |stones: u32| cells(stones).fold(0, |set, cell| set | 1 << image(&game, cell, symmetry));
        let mut here = Place { stones: there.stones.map(turn), to_move: there.to_move };
        for _ in 0..random.below(4) {
            let bit = 1 << random.below(game.size * game.size);
            here.stones = here.stones.map(|stones| stones & !bit);
            here.stones[random.below(2)] |= bit;
        }
        if game.empty(&here) == 0 || here.stones.iter().any(|&stones| game.has_line(stones)) {
            continue;
        }
        let text = |zone: u32| {
            let (a, b, p) = (game.board(&there, zone), game.board(&here, game.empty(&here)), ["x", "o"][maker]);
            format!("{}lemma 1 {a} weak {p}\nlemma 2 {b} weak {p}\nuse 1 {symmetry}\nstop\n", game.start())
        };
        let (record, _) = fault(&text(zone), &Options { shard: Some((2, 2)), ..Options::default() }).unwrap();
        if record == 8 {
            accepted += 1;
            let lines: Vec<u32> = game.live(&here, maker).iter().map(|line| line & turn(zone)).collect();
            assert!(game.breaker_wins(&minimal(lines), here.to_move == maker), "{}", text(zone));
        }
    }
    assert!(accepted > 1000, "only {accepted} accepted");
}

/// Moves of the opponent that need a child, by the definitions of the page. None if the claim is refuted.
fn children(game: &Game, place: &Place, cannot: bool) -> Option<Vec<usize>> {
    let lines = |cell: usize, player: usize| -> Vec<u32> {
        let through = game.lines.iter().filter(|&line| line >> cell & 1 == 1 && line & place.stones[1 - player] == 0);
        through.copied().collect()
    };
    let dead = |cell: usize| lines(cell, 0).is_empty() && lines(cell, 1).is_empty();
    let empty: Vec<usize> = cells(game.empty(place)).collect();
    let mut found = Vec::new();
    for &cell in &empty {
        if game.has_line(place.stones[place.to_move] | 1 << cell) {
            if !game.reverse {
                return None;
            }
        } else if empty.len() == 1 {
            if !cannot {
                return None;
            }
        } else {
            let pass = !game.reverse && dead(cell) && !empty.iter().all(|&other| dead(other));
            let equal = |&other: &usize| other < cell && (0..2).all(|p| lines(other, p) == lines(cell, p));
            if !pass && !empty.iter().any(equal) {
                found.push(cell);
            }
        }
    }
    Some(found)
}

/// A proof with `move` and `all` only, as good as it can be.
fn tree(
    game: &Game,
    place: &Place,
    attacker: usize,
    wins: bool,
    memory: &mut HashMap<Place, u32>,
    proof: &mut Vec<String>,
) {
    if (place.to_move == attacker) == wins {
        let mut moves: Vec<usize> = cells(game.empty(place)).collect();
        let value = |cell: usize, memory: &mut HashMap<Place, u32>| {
            let after = game.after(place, cell);
            if game.has_line(after.stones[place.to_move]) {
                if game.reverse == wins { 1000 } else { 0 }
            } else if game.empty(&after) == 0 {
                1000
            } else {
                game.plies(&after, attacker, memory)
            }
        };
        let completes = |cell: usize| game.has_line(place.stones[place.to_move] | 1 << cell);
        moves.sort_by_key(|&cell| {
            let value = value(cell, memory);
            // For the defender, winning is best, then what takes long; a line of its own under the reverse rule is worst.
            if wins {
                value
            } else if completes(cell) {
                if game.reverse { 5000 } else { 0 }
            } else {
                2000 - value
            }
        });
        proof.push(format!("move {}", game.name(moves[0])));
        let after = game.after(place, moves[0]);
        if !game.has_line(after.stones[place.to_move]) && game.empty(&after) != 0 {
            tree(game, &after, attacker, wins, memory, proof);
        }
    } else {
        proof.push("all".into());
        for cell in children(game, place, !wins).unwrap_or_default() {
            tree(game, &game.after(place, cell), attacker, wins, memory, proof);
        }
    }
}

#[test]
fn a_claim_with_its_tree_is_accepted_exactly_if_it_is_true() {
    let mut random = Random(101);
    let mut counts = [0, 0];
    for round in 0..2000 {
        let reverse = random.chance(50);
        let game = any_game(&mut random, reverse);
        // All starts come in between.
        let mut place = game.random_place(&mut random, 6);
        if round % 100 == 0 && game.size < 4 {
            place = Place { stones: [0, 0], to_move: 0 };
        }
        for wins in [true, false] {
            for attacker in 0..2 {
                let mut memory = HashMap::new();
                let plies = game.plies(&place, attacker, &mut memory);
                let mut proof = Vec::new();
                tree(&game, &place, attacker, wins, &mut memory, &mut proof);
                let name = ["x", "o"][attacker];
                let mut claims = vec![("cannot", None, plies == 1000)];
                claims.retain(|_| !wins);
                for limit in [plies.saturating_sub(1), plies, 1 + random.below(10) as u32] {
                    if (1..=400).contains(&limit) {
                        let kind = if wins { "wins" } else { "cannot" };
                        claims.push((kind, Some(limit), (plies <= limit) == wins));
                    }
                }
                for (kind, limit, truth) in claims {
                    let limit_text = limit.map_or(String::new(), |limit| format!(" within {limit}"));
                    let text = format!("{kind} {name}{limit_text}");
                    let mut accepted = game.accepts(&place, 0, &text, &proof);
                    if let Some(limit) = limit.filter(|_| !wins && !accepted) {
                        // Where the limit is used up, the tree goes on too far: `none` has to stand there.
                        accepted = game.accepts(&place, 0, &text, &cut(&game, &place, attacker, limit));
                    }
                    assert_eq!(
                        accepted,
                        truth,
                        "{}{}: {text}\n{}",
                        game.start(),
                        game.board(&place, 0),
                        proof.join("\n")
                    );
                    counts[usize::from(truth)] += 1;
                }
            }
        }
    }
    assert!(counts[0] > 1000 && counts[1] > 1000, "{counts:?}");
}

/// A tree for `cannot` with a limit, with `none` where it is used up.
fn cut(game: &Game, place: &Place, attacker: usize, limit: u32) -> Vec<String> {
    fn walk(
        game: &Game,
        place: &Place,
        attacker: usize,
        limit: u32,
        memory: &mut HashMap<Place, u32>,
        proof: &mut Vec<String>,
    ) {
        if limit == 0 {
            return proof.push("none".into());
        }
        if place.to_move == attacker {
            proof.push("all".into());
            for cell in children(game, place, true).unwrap_or_default() {
                walk(game, &game.after(place, cell), attacker, limit - 1, memory, proof);
            }
            return;
        }
        let best = cells(game.empty(place)).max_by_key(|&cell| {
            let after = game.after(place, cell);
            let own = game.has_line(after.stones[place.to_move]);
            let full = game.empty(&after) == 0;
            if own {
                if game.reverse { 0 } else { 3000 }
            } else if full {
                2000
            } else {
                game.plies(&after, attacker, memory)
            }
        });
        let cell = best.unwrap();
        proof.push(format!("move {}", game.name(cell)));
        let after = game.after(place, cell);
        if !game.has_line(after.stones[place.to_move]) && game.empty(&after) != 0 {
            walk(game, &after, attacker, limit - 1, memory, proof);
        }
    }
    let mut proof = Vec::new();
    walk(game, place, attacker, limit, &mut HashMap::new(), &mut proof);
    proof
}

#[test]
fn what_all_fours_proves_is_true() {
    let mut random = Random(111);
    let mut accepted = 0;
    for _ in 0..20000 {
        let game = any_game(&mut random, false);
        let place = game.random_place(&mut random, 8);
        let kind = if random.chance(50) { "wins" } else { "cannot" };
        let claim = any_claim(&game, &place, &mut random, kind);
        let fours = some_cells(&game, &place, &mut random, 1, 2);
        let proof = format!("all fours {}", game.names(&fours, " "));
        if !fours.is_empty() && game.accepts(&place, 0, &claim.0, std::slice::from_ref(&proof)) {
            accepted += 1;
            assert!(holds(&game, &place, &claim), "{} {}: {} by {proof}", game.start(), game.board(&place, 0), claim.0);
        }
    }
    assert!(accepted > 40, "only {accepted} accepted");
}

#[test]
fn no_change_of_bytes_makes_the_checker_panic() {
    let mut random = Random(121);
    let files = [include_str!("example.txt"), include_str!("draw.txt"), include_str!("reverse.txt")];
    for file in files {
        assert!(check(file.as_bytes(), &Options::default()).0.is_ok());
    }
    for round in 0..12000 {
        let mut bytes = files[round % files.len()].as_bytes().to_vec();
        for _ in 0..1 + random.below(3) {
            let place = random.below(bytes.len());
            let other = random.below(bytes.len());
            match random.below(5) {
                0 => bytes[place] = random.below(256) as u8,
                1 => bytes[place] = b" \n0123456789/,;-+xoabcdefl"[random.below(26)],
                2 => bytes.swap(place, other),
                3 => drop(bytes.remove(place)),
                _ => {
                    let part: Vec<u8> = bytes[place.min(other)..place.max(other)].to_vec();
                    bytes.splice(place..place, part);
                }
            }
        }
        let shard = random.chance(20).then_some((1 + round as u64 % 2, 2));
        let show = Some(random.below(30) as u64);
        let options = Options { no_theorems: random.chance(20), shard, show, ..Options::default() };
        if let Err(noughts_check::Rejection::Unreadable(error)) = check(&bytes[..], &options).0 {
            panic!("{error}: {}", String::from_utf8_lossy(&bytes));
        }
    }
}
