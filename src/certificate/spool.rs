//! Blocks on disk until the certificate is made of them.

use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};

use noughts_core::game::{Position, Shape};
use noughts_core::search::certificate::{Block, BlockSink, Claim, Lemma, Record};

use super::text::{Header, board_text, record_text};

/// A record that uses a lemma where it was proven, in the file of blocks.
const OWN: &str = "own ";

/// A record that uses a lemma elsewhere.
const USE: &str = "use ";

/// The blocks of a certificate that is being made, in a file.
pub struct Spool {
    file: BufWriter<File>,
    shape: Shape,
    blocks: Vec<StoredBlock>,
    /// Bytes written.
    bytes: u64,
}

/// The place of a block, and its uses.
struct StoredBlock {
    start: u64,
    /// The number of records, in blocks that are needed, that use the lemma. 1 for the proof of a claim.
    uses: u32,
    /// The block in which the lemma was proven.
    owner: Option<Lemma>,
}

/// The size of the written certificate.
pub struct Written {
    /// Lines of the certificate.
    pub lines: u64,
    /// Lemmas in it.
    pub lemmas: u32,
}

impl Spool {
    /// An empty spool for boards of a shape. `file` is empty, and open to read and to write.
    pub fn new(file: File, shape: Shape) -> Spool {
        Spool { file: BufWriter::new(file), shape, blocks: Vec::new(), bytes: 0 }
    }

    /// The blocks so far.
    pub fn blocks(&self) -> usize {
        self.blocks.len()
    }

    /// Adds the blocks of another certificate, which proves this claim about this position. The claim becomes a lemma, of
    /// which the number is returned. `None` if the text is no such certificate. The checkers test its proof.
    ///
    /// # Errors
    /// Those of the file.
    pub fn adopt(&mut self, position: &Position, claim: Claim, certificate: &str) -> io::Result<Option<Lemma>> {
        let mut header = Vec::new();
        Header { position: *position, claims: vec![claim] }.write(&mut header)?;
        if !certificate.as_bytes().starts_with(&header) {
            return Ok(None);
        }
        let mut numbers: Vec<Lemma> = Vec::new();
        let mut text = String::new();
        let mut uses: Vec<Lemma> = Vec::new();
        let mut claimed = None;
        for line in certificate.lines().skip(4) {
            let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
            if matches!(word, "lemma" | "prove" | "end") && !text.is_empty() {
                let number = self.store(&text, 0, &uses)?;
                if claimed.is_some_and(|claimed| claimed == numbers.len()) {
                    return Ok(Some(number));
                }
                numbers.push(number);
                (text, uses) = (String::new(), Vec::new());
            }
            match word {
                "lemma" => {
                    let Some((_, head)) = rest.split_once(' ') else { return Ok(None) };
                    text = format!("lemma {head}\n");
                }
                "prove" => {
                    claimed = Some(numbers.len());
                    text = format!("lemma {} {claim}\n", position.diagram());
                }
                "use" | "last" => {
                    let Some((name, symmetry)) = rest.split_once(' ') else { return Ok(None) };
                    let lemma = name.parse().ok().and_then(|name: usize| numbers.get(name.wrapping_sub(1)));
                    let Some(&lemma) = lemma else { return Ok(None) };
                    uses.push(lemma);
                    text += &format!("{USE}{lemma} {symmetry}\n");
                }
                // Only this file has such records.
                "own" => return Ok(None),
                _ => text += &format!("{line}\n"),
            }
        }
        Ok(None)
    }

    /// Writes a block to the file, which so many records use already. The lemmas that it uses itself are counted.
    fn store(&mut self, text: &str, used: u32, uses: &[Lemma]) -> io::Result<Lemma> {
        uses.iter().for_each(|&lemma| self.blocks[lemma as usize].uses += 1);
        self.file.write_all(text.as_bytes())?;
        self.blocks.push(StoredBlock { start: self.bytes, uses: used, owner: None });
        self.bytes += text.len() as u64;
        Ok(self.blocks.len() as Lemma - 1)
    }

    /// Writes the certificate.
    ///
    /// # Errors
    /// Those of the file of blocks and of `out`.
    pub fn finish(mut self, header: &Header, out: &mut impl Write) -> io::Result<Written> {
        self.file.flush()?;
        self.leave_out_unused()?;
        header.write(out)?;
        let mut numbers = vec![0; self.blocks.len()];
        let mut left: Vec<u32> = self.blocks.iter().map(|block| block.uses).collect();
        let mut written = Written { lines: header.lines() + 1, lemmas: 0 };
        let mut claims = 0;
        for block in 0..self.blocks.len() {
            if self.blocks[block].uses == 0 || self.is_inlined(block) {
                continue;
            }
            let text = self.read(block)?;
            let head = text.lines().next().unwrap_or_default();
            match head.strip_prefix("lemma ") {
                Some(rest) => {
                    written.lemmas += 1;
                    numbers[block] = written.lemmas;
                    writeln!(out, "lemma {} {rest}", written.lemmas)?;
                }
                None => {
                    claims += 1;
                    writeln!(out, "prove {claims}")?;
                }
            }
            written.lines += 1;
            self.write_records(&text, &numbers, &mut left, out, &mut written.lines)?;
        }
        writeln!(out, "end {}", written.lines)?;
        Ok(written)
    }

    /// Writes the records of a block; lemmas that are used here only with all their records.
    fn write_records(
        &mut self,
        text: &str,
        numbers: &[u32],
        left: &mut [u32],
        out: &mut impl Write,
        lines: &mut u64,
    ) -> io::Result<()> {
        for line in text.lines().skip(1) {
            let Some((lemma, symmetry)) = lemma_used(line) else {
                *lines += 1;
                writeln!(out, "{line}")?;
                continue;
            };
            if self.is_inlined(lemma) {
                let text = self.read(lemma)?;
                self.write_records(&text, numbers, left, out, lines)?;
                continue;
            }
            left[lemma] -= 1;
            let word = if left[lemma] == 0 { "last" } else { "use" };
            *lines += 1;
            writeln!(out, "{word} {} {symmetry}", numbers[lemma])?;
        }
        Ok(())
    }

    /// True if a lemma has a single use, where it was proven: its records stand there.
    fn is_inlined(&self, block: usize) -> bool {
        let StoredBlock { uses, owner, .. } = self.blocks[block];
        uses == 1 && owner.is_some_and(|owner| self.blocks[owner as usize].uses > 0)
    }

    /// Uncounts the uses by lemmas that are not used themselves. Lemmas stand in front of their uses, so one pass will do.
    fn leave_out_unused(&mut self) -> io::Result<()> {
        for block in (0..self.blocks.len()).rev() {
            if self.blocks[block].uses == 0 {
                let text = self.read(block)?;
                for (lemma, _) in text.lines().filter_map(lemma_used) {
                    self.blocks[lemma].uses -= 1;
                }
            }
        }
        Ok(())
    }

    fn read(&mut self, block: usize) -> io::Result<String> {
        let start = self.blocks[block].start;
        let end = self.blocks.get(block + 1).map_or(self.bytes, |next| next.start);
        let file = self.file.get_mut();
        file.seek(SeekFrom::Start(start))?;
        let mut text = String::new();
        file.take(end - start).read_to_string(&mut text)?;
        Ok(text)
    }
}

/// The lemma that a line of the file uses, and the symmetry.
fn lemma_used(line: &str) -> Option<(usize, &str)> {
    let (lemma, symmetry) = line.strip_prefix(OWN).or_else(|| line.strip_prefix(USE))?.split_once(' ')?;
    Some((lemma.parse().ok()?, symmetry))
}

impl BlockSink for Spool {
    fn take(&mut self, block: Block) -> io::Result<()> {
        let number = self.blocks.len() as Lemma;
        let mut text = match &block.board {
            Some(board) => format!("lemma {} {}\n", board_text(board, self.shape), block.claim),
            None => "prove\n".to_owned(),
        };
        let mut uses = Vec::new();
        for (index, record) in block.records.iter().enumerate() {
            let mut line = record_text(record);
            if let Record::Use(lemma, _) = record {
                uses.push(*lemma);
                if block.own.contains(&index) {
                    self.blocks[*lemma as usize].owner = Some(number);
                    line.replace_range(..USE.len(), OWN);
                }
            }
            text.push_str(&line);
            text.push('\n');
        }
        // The proof of a claim stands for itself.
        self.store(&text, u32::from(block.board.is_none()), &uses).map(|_| ())
    }
}
