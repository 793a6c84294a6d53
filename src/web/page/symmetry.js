// The 8 images of a square board: its turns and mirror images.

/** Each image in words, and where it puts the square in a row and a column of a board of `last` + 1 rows. */
export const IMAGES = [
  ["the same position", (row, column) => [row, column]],
  ["its mirror image, left and right exchanged", (row, column, last) => [row, last - column]],
  ["its mirror image, top and bottom exchanged", (row, column, last) => [last - row, column]],
  ["the same position turned by half", (row, column, last) => [last - row, last - column]],
  ["its mirror image along the diagonal", (row, column) => [column, row]],
  ["its mirror image along the other diagonal", (row, column, last) => [last - column, last - row]],
  ["the same position turned by a quarter", (row, column, last) => [column, last - row]],
  ["the same position turned by a quarter", (row, column, last) => [last - column, row]],
].map(([words, place]) => ({ words, place }));

/** The squares of a board, row after row, after a turn or in a mirror. */
export function imageOf(squares, { place }, size) {
  const image = new Array(squares.length);
  squares.forEach((stone, index) => {
    const [row, column] = place(Math.floor(index / size), index % size, size - 1);
    image[row * size + column] = stone;
  });
  return image;
}
