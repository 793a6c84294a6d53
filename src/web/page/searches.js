// The searches that can be watched: their names, and what each of them adds.

export const SEARCHES = [
  { name: "minimax", title: "Minimax", idea: "Plays every move to the full board, also where the game is already over." },
  { name: "stopatwin", title: "Stop at win", idea: "Minimax that stops where the game is over." },
  { name: "alphabeta", title: "Alpha-beta", idea: "Leaves out moves that cannot matter: one side already has something better elsewhere." },
  { name: "alphabetatable", title: "… with a table", idea: "Alpha-beta that stores positions 3 to 5 plies from the root, and does not search them twice." },
  { name: "alphabetasymmetry", title: "… with symmetry", idea: "The same; turned and mirrored positions count as one." },
  { name: "alphabetasymmetryall", title: "… at all plies", idea: "The same with positions of every ply in the table." },
  { name: "negamax", title: "Negamax with a table", idea: "Searches every position once, without alpha and beta." },
  { name: "mcts", title: "Tree search", idea: "Monte Carlo tree search: grows the tree where moves look good, and guesses by random games." },
];

export const TREE_SEARCH = "mcts";

/** The searches whose nodes are counted, in the order in which they are taught. */
export const COUNTED = SEARCHES.filter(({ name }) => name !== TREE_SEARCH);

export const titleOf = (name) => SEARCHES.find((search) => search.name === name)?.title ?? name;
