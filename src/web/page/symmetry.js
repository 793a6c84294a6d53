// The images of a board: its turns and mirror images.

/** Each image in words, and where it puts the square in a row and a column, given the last row and the last column of the board. */
const OF_ALL_BOARDS = [
  ["the same position", (row, column) => [row, column]],
  ["its mirror image, left and right exchanged", (row, column, last) => [row, last.column - column]],
  ["its mirror image, top and bottom exchanged", (row, column, last) => [last.row - row, column]],
  ["the same position turned by half", (row, column, last) => [last.row - row, last.column - column]],
];
/** These exchange rows and columns. */
const OF_SQUARES = [
  ["its mirror image along the diagonal", (row, column) => [column, row]],
  ["its mirror image along the other diagonal", (row, column, last) => [last.column - column, last.row - row]],
  ["the same position turned by a quarter", (row, column, last) => [column, last.row - row]],
  ["the same position turned by a quarter", (row, column, last) => [last.column - column, row]],
];

/** The images of a board, itself first: 8 of a square board, 4 of another. */
export function imagesOf({ rows, columns }) {
  const all = rows === columns ? [...OF_ALL_BOARDS, ...OF_SQUARES] : OF_ALL_BOARDS;
  return all.map(([words, place]) => ({ words, place }));
}

/** The squares of a board, row after row, after a turn or in a mirror. */
export function imageOf(squares, { place }, { rows, columns }) {
  const image = new Array(squares.length);
  const last = { row: rows - 1, column: columns - 1 };
  squares.forEach((stone, index) => {
    const [row, column] = place(Math.floor(index / columns), index % columns, last);
    image[row * columns + column] = stone;
  });
  return image;
}
