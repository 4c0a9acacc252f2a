// Records of a journal that are whole and say what no version writes: they are passed over, and all that versions write is
// read.

import type { Row } from './row.ts';

const hostile = 'test/unit/history/hostileRecords.test.ts';
const fits = 'test/unit/history/fittingFacts.test.ts';
const file = 'src/core/history/fittingFacts.ts';

/** A check that keeps harm away, and the same file without it. */
function kept(defence: string, text: string, replacement: string): Row {
  return { defence, attacks: [15], file, text, replacement, tests: [fits] };
}

/** A check that would be too strict for what versions write. */
function strict(defence: string, text: string, replacement: string): Row {
  return { defence, attacks: [], file, text, replacement, tests: [fits] };
}

export const hostileRecords: readonly Row[] = [
  kept(
    'Facts that say what no version writes are passed over',
    'const facts = own.facts.map((fact, at) => (isLate || !isFitting(whole.facts[at]) ? passedOver : fact));',
    'const facts = own.facts;',
  ),
  kept(
    'Facts that say what no version writes are reported',
    'if (isLate || !isFitting(fact)) unfit++;',
    'if (isLate) unfit++;',
  ),
  kept(
    'A record with a clock that none can follow is passed over',
    'const isLate = !isTick(record.h);',
    'const isLate = false;',
  ),
  kept(
    'The clock follows no tick that none could follow',
    "return { record: { ...own, facts, h: isLate ? '' : own.h }, unfit };",
    'return { record: { ...own, facts }, unfit };',
  ),
  kept(
    'A blob stands only in a place that is there',
    'Array.isArray(places) ? places.filter(one => isPlaceIn(record.facts, one)) : []',
    'Array.isArray(places) ? (places as readonly BlobPlace[]) : []',
  ),
  kept(
    'A blob takes the place of nothing that is in the record',
    'return inside === null || isRef(inside);',
    'return true;',
  ),
  kept(
    'A fact of a kind that every object has is none of ours',
    'return Object.hasOwn(facts, type) ? facts',
    'return type in facts ? facts',
  ),
  kept(
    'A session that is named in a fact may be part of a file’s name',
    "if (!isObject(fact) || !isId(fact['session'])) return false;",
    'if (!isObject(fact)) return false;',
  ),
  kept(
    'A message of a record may be part of a file’s name',
    '    isId(id) &&\n    (parent',
    '    isText(id) &&\n    (parent',
  ),
  kept('The parent of a message is a message or nobody', '(parent === null || isId(parent)) &&', ''),
  kept('A message of a record has blocks', '    Array.isArray(blocks) &&\n', ''),
  kept('The blocks of a message of a record are blocks', '    blocks.every(isBlock) &&\n', ''),
  kept(
    'A message of a record was written at a time that a date can hold',
    '    isTime(created) &&\n    may(isAgent, agent) &&',
    '    may(isAgent, agent) &&',
  ),
  kept(
    'A session of a record began at a time that a date can hold, with an agent',
    '    isTime(created) &&\n    isAgent(agent) &&\n',
    '',
  ),
  kept(
    'The stable key of a session of a record is one',
    "may(one => isObject(one) && isShort(one['key']) && isCount(one['generation']), key)",
    'true',
  ),
  kept(
    'A block of a record stands in a place that a message can have',
    'isId(message) && isPlace(at) && isBlock(block)',
    'isId(message) && isBlock(block)',
  ),
  kept('A block of a record is one', 'isId(message) && isPlace(at) && isBlock(block)', 'isId(message) && isPlace(at)'),
  kept('The text of a record goes on in a place that a message can have', '    isPlace(at) &&\n    (kind', '    (kind'),
  kept('The text of a record has an offset that a text can have', '    isCount(offset) &&\n', ''),
  kept('The text of a record is text', '    isCount(offset) &&\n    isText(text),', '    isCount(offset),'),
  kept('The end of a message of a record is one', 'isId(message) && isEnd(end)', 'isId(message)'),
  kept('The usage of a turn of a record is numbers', "    may(isUsage, end['usage'])\n", '    true\n'),
  kept('A value of a record is no longer than it may be', ' && !isLong(value)', ''),
  kept(
    'A value of a record is nested no deeper than it may be',
    'value !== undefined && isFlat(value) && !isLong',
    'value !== undefined && !isLong',
  ),
  kept(
    'A fact of a record that sets nothing is passed over',
    'value !== undefined && isFlat(value) && !isLong',
    'isFlat(value) && !isLong',
  ),
  kept('What a fact sets has a name', '    isShort(name) && may(isShort, of)', '    may(isShort, of)'),
  kept('A tool call of a record is one', '    isText(callId) &&\n    isText(title) &&', '    isText(title) &&'),
  kept('The output of a tool call of a record is nested no deeper than it may be', '    isFlat(output) &&\n', ''),
  kept(
    'The files of a change of a record are changes',
    'changes: ({ files }) => isListOf(isChange, files),',
    'changes: () => true,',
  ),
  kept(
    'A file of a change of a record has both its states',
    'isText(path) && isText(seen) && isState(before) && isState(after) && may',
    'isText(path) && isText(seen) && may',
  ),
  kept(
    'A block of a later kind is nested no deeper than it may be',
    "blocks[kind as Block['kind']](block) : isFlat(block);",
    "blocks[kind as Block['kind']](block) : true;",
  ),
  {
    defence: 'A block far behind the others takes no memory for the gap',
    attacks: [15],
    file: 'src/core/history/assemble.ts',
    text: 'if (!message || at > message.blocks.length + largestGap) return;',
    replacement: 'if (!message) return;',
    tests: [hostile],
    only: 'behind a gap',
  },
  {
    defence: 'What was erased is not kept in a fact that can’t be understood',
    attacks: [13, 15],
    file: 'src/core/history/erasure.ts',
    text: '.some(id => text.includes(id));',
    replacement: '.some(id => text === id);',
    tests: [fits],
  },
  {
    defence: 'A fact that is nested too deeply to be looked through may name what was erased',
    attacks: [13, 15],
    file: 'src/core/history/erasure.ts',
    text: '      // It is nested too deeply to be written: it may be anything.\n      return true;',
    replacement: '      return false;',
    tests: [fits],
  },
  {
    defence: 'A fact that can’t be understood and names nothing that was erased is kept',
    attacks: [],
    file: 'src/core/history/erasure.ts',
    text: '.some(id => text.includes(id));',
    replacement: '.some(id => text.length > id.length);',
    tests: [fits],
  },
  {
    defence: 'Where nothing was erased every fact is kept',
    attacks: [],
    file: 'src/core/history/erasure.ts',
    text: 'if (this.sessions.size === 0 && this.erasedMessages.size === 0) return false;',
    replacement: '',
    tests: [fits],
  },
  {
    defence: 'What answers an erased message is erased as well',
    attacks: [13],
    file: 'src/core/history/erasure.ts',
    text: 'if (parent !== null && this.erasedMessages.has(parent)) this.addMessage(fact.session, id);',
    replacement: '',
    tests: ['test/unit/history/erase.test.ts'],
  },
  strict('Of a message without an end nothing is missing', '    may(isEnd, end)\n', '    isEnd(end)\n'),
  strict('A message of no agent fits', 'may(isAgent, agent) &&', 'isAgent(agent) &&'),
  strict('A tool call without an input fits', 'may(isFlat, input) &&', 'input !== undefined && isFlat(input) &&'),
  strict('A tool call without an answer fits', 'may(isPermission, permission),', 'isPermission(permission),'),
  strict(
    'A tool call that nobody answered fits',
    "(one['choice'] === null || isText(one['choice']))",
    "isText(one['choice'])",
  ),
  strict(
    'A picture without bytes fits',
    'may(isRef, data) && may(isText, uri) && may(isText, name);',
    'isRef(data) && may(isText, uri) && may(isText, name);',
  ),
  strict('A change without counted lines fits', 'may(isLines, lines)', 'isLines(lines)'),
  strict('A change that was not imported fits', 'may(isStates, foreign)', 'isStates(foreign)'),
  strict('A file of which the content was not kept fits', "may(isRef, one['content'])", "isRef(one['content'])"),
  strict(
    'A turn that says nothing of its usage fits',
    "    may(isUsage, end['usage'])\n",
    "    isUsage(end['usage'])\n",
  ),
  strict('A session without a folder fits', 'may(isShort, cwd) &&', 'isShort(cwd) &&'),
  strict(
    'A session without a key fits',
    "may(one => isObject(one) && isShort(one['key'])",
    "((check: Check, one: unknown) => check(one))(one => isObject(one) && isShort(one['key'])",
  ),
  strict(
    'A field that is set to nothing fits',
    'value !== undefined && isFlat(value) && !isLong',
    'value != null && isFlat(value) && !isLong',
  ),
  strict('A field of the session itself fits', 'isShort(name) && may(isShort, of)', 'isShort(name) && isShort(of)'),
];
