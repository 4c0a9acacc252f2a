// What is imported is foreign: it is what it says only where that harms nobody, and it changes nothing that is here.

import type { Row } from './row.ts';

const foreign = 'test/unit/history/exchangeForeign.test.ts';
const hostile = 'test/unit/history/exchangeHostile.test.ts';

export const imports: readonly Row[] = [
  {
    defence: 'The id of an imported message, which becomes part of a file’s name, is one',
    attacks: [15],
    file: 'src/core/exchange/messageShape.ts',
    text: "value => typeof value === 'string' && /^[0-9a-z]{1,64}$/.test(value);",
    replacement: "value => typeof value === 'string';",
    tests: [hostile],
  },
  {
    defence: 'The id of an imported session, which becomes part of a file’s name, is one',
    attacks: [15],
    file: 'src/core/exchange/readExchange.ts',
    text: "if (typeof id !== 'string' || !/^[2-9a-hjkmnp-z]{12}$/.test(id))",
    replacement: "if (typeof id !== 'string')",
    tests: [hostile],
  },
  {
    defence: 'An imported session that is nested too deeply is refused',
    attacks: [15],
    file: 'src/core/exchange/readExchange.ts',
    text: "if (depth > deepest) throw new Refused('Something in it is nested too deeply.');",
    replacement: '',
    tests: [hostile],
  },
  {
    defence: 'An imported change of a file can’t be undone or made again here',
    attacks: [15],
    file: 'src/model/changes.ts',
    text: 'return !foreign && isKept(before) && after.kind',
    replacement: 'return (foreign === undefined || true) && isKept(before) && after.kind',
    tests: [foreign],
  },
  {
    defence: 'A change that came from an import is known as such by whoever decides about it',
    attacks: [15],
    file: 'src/core/conversation/decisions.ts',
    text: 'const own = wanted.filter(one => !isForeign(one));',
    replacement: 'const own = wanted;',
    tests: [foreign],
  },
  {
    defence: 'The changes of an imported message are marked as foreign when they are written',
    attacks: [15],
    file: 'src/model/changes.ts',
    text: 'if (change.foreign) return change;',
    replacement: 'if (change) return change;',
    tests: [foreign],
  },
  {
    defence: 'An import sets nothing of a session that is here',
    attacks: [15],
    file: 'src/node/history/import/missingFacts.ts',
    text: 'if (!(isHere ? isTakenHere(queries, session, field, one => came.has(one)) : travelOf(name)?.forNew)) return [];',
    replacement: '',
    tests: ['test/unit/history/exchange.test.ts', hostile],
  },
];
