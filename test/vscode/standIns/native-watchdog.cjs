// Stands in for @vscode/native-watchdog, which is C++ and would have to be compiled: an extension host ends when the
// server that started it is gone. Unlike the original it cannot do so while its own thread hangs; the leash can.

exports.start = pid => {
  setInterval(() => {
    try {
      process.kill(pid, 0);
    } catch {
      process.exit(87);
    }
  }, 1000).unref();
};

exports.exit = code => process.exit(code ?? 0);
