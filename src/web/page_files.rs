//! The files of the page, which stand in the program itself, and the picture of the known values.

/// The headers of every answer.
pub const HEADERS: &[(&str, &str)] = &[
    (
        "content-security-policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; \
         base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    ("cache-control", "no-cache"),
];

/// Names of files with what is in them.
macro_rules! embedded {
    ($($name:literal),* $(,)?) => { &[$(($name, include_str!(concat!("page/", $name)))),*] };
}

const FILES: &[(&str, &str)] = embedded![
    "index.html",
    "style.css",
    "address.js",
    "analysis.js",
    "app.js",
    "board.js",
    "connection.js",
    "counts.js",
    "dom.js",
    "drawer.js",
    "examples.js",
    "explanation.js",
    "fields.js",
    "game.js",
    "growing_tree.js",
    "history.js",
    "notation.js",
    "outlook.js",
    "picture.js",
    "playout_view.js",
    "playout_words.js",
    "playouts.js",
    "position_tree.js",
    "program.js",
    "puzzles.js",
    "puzzles.jsonl",
    "score.js",
    "search_marks.js",
    "search_tree.js",
    "search_words.js",
    "searches.js",
    "session.js",
    "settings.js",
    "share.js",
    "sides.js",
    "speed.js",
    "status.js",
    "symmetry.js",
    "theme.js",
    "trace.js",
    "transport.js",
    "tree_layout.js",
    "tree_view.js",
    "views.js",
    "watch.js",
    "why.js",
    "window.js",
];

/// The picture of the known values.
const KNOWN_VALUES: &str = include_str!("../../docs/known-values.svg");

/// The file at a path, with its type.
pub fn file(path: &str) -> Option<(&'static str, &'static str)> {
    let name = if path == "/" { "index.html" } else { path.strip_prefix('/')? };
    if name == "known-values.svg" {
        return Some(("image/svg+xml", KNOWN_VALUES));
    }
    let (name, text) = FILES.iter().find(|(known, _)| *known == name)?;
    let kind = match name.rsplit_once('.')?.1 {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "jsonl" => "application/jsonl; charset=utf-8",
        _ => "text/javascript; charset=utf-8",
    };
    Some((kind, text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_the_page_stands_in_the_program() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/web/page");
        let mut names: Vec<String> = std::fs::read_dir(folder)
            .expect("the folder of the page")
            .map(|entry| entry.expect("a file").file_name().into_string().expect("text"))
            .collect();
        names.sort();
        let mut embedded: Vec<&str> = FILES.iter().map(|(name, _)| *name).collect();
        embedded.sort_unstable();
        assert_eq!(names, embedded);
        assert_eq!(file("/").map(|(kind, _)| kind), Some("text/html; charset=utf-8"));
        assert_eq!(file("/app.js").map(|(kind, _)| kind), Some("text/javascript; charset=utf-8"));
        assert!(
            file("/known-values.svg").is_some_and(|(kind, text)| kind == "image/svg+xml" && text.starts_with("<svg"))
        );
        assert!(file("/nothing.js").is_none() && file("/../serve.rs").is_none() && file("").is_none());
    }
}
