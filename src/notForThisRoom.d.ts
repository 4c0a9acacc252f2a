// The stand-in for every package that a room may not import: it has no exports, so an import of anything fails.
export {};
