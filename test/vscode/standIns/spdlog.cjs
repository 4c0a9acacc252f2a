// Stands in for @vscode/spdlog, which is C++ and would have to be compiled: the loggers of VS Code write to their
// files, so output channels and log files work as they do elsewhere. It promises the API that VS Code uses; what it
// leaves out is the rotation of files, for a server that lives minutes.

const { appendFileSync, mkdirSync } = require('node:fs');
const { dirname } = require('node:path');

const levels = ['trace', 'debug', 'info', 'warning', 'error', 'critical', 'off'];

class Logger {
  #file;
  #level = 2;
  #plain = false;

  constructor(_type, _name, file) {
    this.#file = file;
  }
  getLevel() {
    return this.#level;
  }
  setLevel(level) {
    this.#level = level;
  }
  setPattern() {
    this.#plain = false;
  }
  clearFormatters() {
    this.#plain = true;
  }
  flush() {}
  drop() {}
  trace(message) {
    this.#write(0, message);
  }
  debug(message) {
    this.#write(1, message);
  }
  info(message) {
    this.#write(2, message);
  }
  warn(message) {
    this.#write(3, message);
  }
  error(message) {
    this.#write(4, message);
  }
  critical(message) {
    this.#write(5, message);
  }

  #write(level, message) {
    if (level < this.#level) {
      return;
    }
    const time = new Date().toISOString().replace('T', ' ').replace('Z', '');
    try {
      appendFileSync(this.#file, this.#plain ? message : `${time} [${levels[level]}] ${message}\n`);
    } catch {
      // The folder of the server is removed when it stops, and a log must not be what breaks then.
    }
  }
}

async function createRotatingLogger(name, file) {
  mkdirSync(dirname(file), { recursive: true });
  return new Logger('rotating', name, file);
}

// One by one: VS Code imports this as an ES module, and only so does Node see the names.
exports.version = 0;
exports.Logger = Logger;
exports.setLevel = () => {};
exports.setFlushOn = () => {};
exports.createRotatingLogger = createRotatingLogger;
exports.createAsyncRotatingLogger = createRotatingLogger;
