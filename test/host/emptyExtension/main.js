// An extension that does nothing, to measure beside, with two empty views to draw in.

exports.activate = () => {};
