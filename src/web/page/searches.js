// The engine's players and the searches that can be watched: their names, and what each search adds.

export const SEARCHES = [
  { name: "minimax", title: "Minimax", idea: "Plays every move to the full board, also where the game is already over." },
  { name: "stopatwin", title: "Stop at win", idea: "Minimax that stops where the game is over." },
  { name: "alphabeta", title: "Alpha-beta", idea: "Leaves out moves that cannot matter: one side already has something better elsewhere." },
  { name: "alphabetatable", title: "Alpha-beta, table", idea: "Alpha-beta that stores positions 3 to 5 plies from the root, and does not search them twice." },
  { name: "alphabetasymmetry", title: "Alpha-beta, symmetry", idea: "The same; turned and mirrored positions count as one." },
  { name: "alphabetasymmetryall", title: "Alpha-beta, all plies", idea: "The same with positions of every ply in the table." },
  { name: "negamax", title: "Negamax, table", idea: "Searches every position once, without alpha and beta." },
  { name: "mcts", title: "Tree search", idea: "Monte Carlo tree search: grows the tree where moves look good, and guesses by random games." },
];

export const TREE_SEARCH = "mcts";

/** The searches whose nodes are counted, in the order in which they are taught. */
export const COUNTED = SEARCHES.filter(({ name }) => name !== TREE_SEARCH);

/** The players that are no searches of the textbooks. */
const PLAYERS = {
  auto: "Auto",
  perfect: "Perfect",
  montecarlo: "Monte Carlo",
  montecarlolimit: "Monte Carlo, exact",
  uct: "Plain UCT",
  random: "Random",
};

/** The name of a player or a search, the same everywhere on the page. */
export const titleOf = (name) => PLAYERS[name] ?? SEARCHES.find((search) => search.name === name)?.title ?? name;

/** True if a search stores positions. */
export const hasTable = (name) => /table|symmetry|negamax/.test(name);

/** True if a player is a search of the textbooks. */
export const isTextbook = (name) => COUNTED.some((search) => search.name === name);
