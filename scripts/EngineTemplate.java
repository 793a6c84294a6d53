// Write choose(), and this is an engine that speaks the Noughts protocol, for any size and any rules.
//
//     java scripts/EngineTemplate.java

import java.util.*;

class EngineTemplate {
    /** The row and the column to play: board has rows of 'x', 'o' and '.', side is who moves, 'x' or 'o'.
     *
     * The player that gets connect in a row wins, or loses if reverse is true. */
    static int[] choose(char[][] board, char side, int connect, boolean reverse) {
        for (int row = 0; row < board.length; row++) {
            int column = new String(board[row]).indexOf('.');
            if (column >= 0) return new int[] {row, column};
        }
        throw new IllegalStateException("the board is full");
    }

    static Map<String, Integer> rules = new HashMap<>(Map.of("size", 3, "columns", 0, "connect", 0, "reverse", 0));
    static char[][] board;
    static char side;

    /** Sets up "startpos" or "fen BOARD SIDE", perhaps with "moves" and moves behind it. */
    static void setUp(List<String> words) {
        int rows = rules.get("size"), columns = rules.get("columns") == 0 ? rows : rules.get("columns");
        int stop = words.contains("moves") ? words.indexOf("moves") : words.size();
        String text = stop > 1 ? words.get(1) : String.join("/", Collections.nCopies(rows, "" + columns));
        for (int run = 20; run > 0; run--) text = text.replace("" + run, ".".repeat(run));
        board = Arrays.stream(text.split("/")).map(String::toCharArray).toArray(char[][]::new);
        side = text.replace("x", "").length() < text.replace("o", "").length() ? 'o' : 'x';
        if (stop > 2) side = words.get(2).charAt(0);
        for (String move : words.subList(Math.min(stop + 1, words.size()), words.size())) {
            String[] square = move.split(",");
            board[Integer.parseInt(square[0])][Integer.parseInt(square[1])] = side;
            side = side == 'x' ? 'o' : 'x';
        }
    }

    public static void main(String[] arguments) {
        setUp(List.of("startpos"));
        for (Scanner lines = new Scanner(System.in); lines.hasNextLine();) {
            List<String> words = List.of(lines.nextLine().strip().toLowerCase().split("\\s+"));
            String command = words.get(0), last = words.get(words.size() - 1);
            if (command.equals("ugi") || command.equals("uci")) {
                System.out.println("id name Template\noption name size type spin default 3 min 1 max 20");
                System.out.println("option name columns type spin default 0 min 0 max 20");
                System.out.println("option name connect type spin default 0 min 0 max 400");
                System.out.println("option name reverse type check default false\n" + command + "ok");
            } else if (command.equals("isready")) {
                System.out.println("readyok");
            } else if (command.equals("setoption")) {
                for (String name : rules.keySet())
                    if (words.contains(name))
                        rules.put(name, name.equals("reverse") ? (last.equals("true") ? 1 : 0) : Integer.parseInt(last));
                setUp(List.of("startpos"));
            } else if (command.equals("position")) {
                setUp(words.subList(1, words.size()));
            } else if (command.equals("go")) {
                boolean full = Arrays.stream(board).noneMatch(row -> new String(row).contains("."));
                int shorter = Math.min(board.length, board[0].length);
                int connect = rules.get("connect") == 0 ? shorter : rules.get("connect");
                int[] move = full ? null : choose(board, side, connect, rules.get("reverse") == 1);
                System.out.println("bestmove " + (full ? "(none)" : move[0] + "," + move[1]));
            } else if (command.equals("quit")) {
                return;
            }
        }
    }
}
