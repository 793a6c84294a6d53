// Write choose(), and this is an engine that speaks the Noughts protocol, for any size and any rules.
//
//     g++ -O2 -o mine scripts/engine_template.cpp
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using Board = std::vector<std::string>;

/// The row and the column to play: board has rows of 'x', 'o' and '.', side is who moves, 'x' or 'o'.
///
/// The player that gets connect in a row wins, or loses if reverse is true.
std::pair<size_t, size_t> choose(const Board &board, char /* side */, int /* connect */, bool /* reverse */) {
    size_t row = 0;
    while (board[row].find('.') == std::string::npos) row++;
    return {row, board[row].find('.')};
}

int main() {
    std::map<std::string, int> rules = {{"size", 3}, {"columns", 0}, {"connect", 0}, {"reverse", 0}};
    auto columns = [&] { return rules["columns"] ? rules["columns"] : rules["size"]; };
    auto empty = [&] { return Board(rules["size"], std::string(columns(), '.')); };
    Board board = empty();
    char side = 'x';
    for (std::string line; std::getline(std::cin, line);) {
        std::transform(line.begin(), line.end(), line.begin(), [](unsigned char c) { return std::tolower(c); });
        std::istringstream words(line);
        std::string command, word, name;
        words >> command;
        if (command == "ugi" || command == "uci") {
            std::cout << "id name Template\noption name size type spin default 3 min 1 max 20\n"
                      << "option name columns type spin default 0 min 0 max 20\n"
                      << "option name connect type spin default 0 min 0 max 400\n"
                      << "option name reverse type check default false\n" << command << "ok" << std::endl;
        } else if (command == "isready") {
            std::cout << "readyok" << std::endl;
        } else if (command == "setoption") {
            while (words >> word)
                if (rules.count(word)) name = word;
            if (!name.empty()) rules[name] = name == "reverse" ? word == "true" : std::stoi(word);
            board = empty();
            side = 'x';
        } else if (command == "position") {
            board = empty();
            side = 'x';
            words >> word;
            if (word == "fen") {
                std::string cells;
                words >> word;
                for (std::istringstream text(word); text.peek() != EOF;) {
                    int run;
                    if (std::isdigit(text.peek()) && text >> run) cells += std::string(run, '.');
                    else cells += char(text.get());
                }
                board.clear();
                for (std::istringstream rows(cells); std::getline(rows, word, '/');) board.push_back(word);
                auto count = [&](char stone) { return std::count(cells.begin(), cells.end(), stone); };
                side = count('o') < count('x') ? 'o' : 'x';
            }
            while (words >> word && word != "moves") side = word[0];
            size_t row, column;
            for (char comma; words >> row >> comma >> column; side = side == 'x' ? 'o' : 'x') {
                board[row][column] = side;
            }
        } else if (command == "go") {
            auto is_full = [](const std::string &row) { return row.find('.') == std::string::npos; };
            if (std::all_of(board.begin(), board.end(), is_full)) {
                std::cout << "bestmove (none)" << std::endl;
                continue;
            }
            int connect = rules["connect"] ? rules["connect"] : std::min(rules["size"], columns());
            auto [row, column] = choose(board, side, connect, rules["reverse"]);
            std::cout << "bestmove " << row << "," << column << std::endl;
        } else if (command == "quit") {
            break;
        }
    }
}
