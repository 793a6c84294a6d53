//! Tables for programs: rows of one struct as CSV, with the names of its fields as headings.

use std::io::{self, Write};

use serde::{Serialize, Serializer};

/// A number as Rust prints it: the fewest digits that are read back as the same number, and `1` instead of `1.0`.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct PlainNumber(pub f64);

impl Serialize for PlainNumber {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

/// Writes rows as CSV. The first line has the names of the fields of `R`, also when there is no row.
///
/// # Errors
/// When writing to `out` fails, or a row has other columns than the first.
pub fn write_csv<R: Serialize + Default>(rows: impl IntoIterator<Item = R>, out: &mut dyn Write) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    let mut rows = rows.into_iter().peekable();
    if rows.peek().is_none() {
        writer.write_record(&headings::<R>().map_err(io_error)?).map_err(io_error)?;
    }
    for row in rows {
        writer.serialize(row).map_err(io_error)?;
    }
    writer.flush()
}

/// The names of the fields of a default row.
fn headings<R: Serialize + Default>() -> csv::Result<csv::StringRecord> {
    let mut table = Vec::new();
    csv::Writer::from_writer(&mut table).serialize(R::default())?;
    csv::Reader::from_reader(&table[..]).headers().cloned()
}

/// The error of the writer below, unchanged: callers tell a closed pipe from other errors by its kind.
fn io_error(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Serialize, Default)]
    struct TestRow {
        name: &'static str,
        games: u64,
        score: Option<PlainNumber>,
        #[serde(skip_serializing_if = "Option::is_none")]
        sample: Option<u64>,
    }

    fn written(rows: Vec<TestRow>) -> String {
        let mut csv = Vec::new();
        write_csv(rows, &mut csv).expect("memory takes everything");
        String::from_utf8(csv).expect("CSV is text")
    }

    #[test]
    fn rows_stand_below_the_names_of_their_fields() {
        let rows = vec![
            TestRow { name: "perfect", games: 1000, score: Some(PlainNumber(0.75)), sample: None },
            TestRow { name: "a, b", games: 2, score: None, sample: None },
        ];
        assert_eq!(written(rows), "name,games,score\nperfect,1000,0.75\n\"a, b\",2,\n");
    }

    #[test]
    fn a_table_without_rows_has_its_headings() {
        assert_eq!(written(Vec::new()), "name,games,score\n");
    }

    #[test]
    fn an_optional_column_is_there_when_the_rows_have_it() {
        let row = TestRow { name: "random", games: 1, score: Some(PlainNumber(1.0)), sample: Some(7) };
        assert_eq!(written(vec![row]), "name,games,score,sample\nrandom,1,1,7\n");
    }

    #[test]
    fn numbers_are_printed_as_rust_prints_them() {
        for (number, text) in [(1.0, "1"), (-0.5, "-0.5"), (1e-7, "0.0000001"), (1e21, "1000000000000000000000")] {
            let row = TestRow { score: Some(PlainNumber(number)), ..TestRow::default() };
            assert_eq!(written(vec![row]), format!("name,games,score\n,0,{text}\n"));
        }
    }

    #[test]
    fn the_kind_of_an_error_of_the_output_is_kept() {
        struct Closed;
        impl Write for Closed {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::ErrorKind::BrokenPipe.into())
            }

            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let error = write_csv([TestRow::default()], &mut Closed).expect_err("a closed pipe");
        assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
    }
}
