// What the agent of the panel's bench says: a long answer as a model writes it, and texts that nobody writes, each of
// which makes some renderer stand still. The same for the same kind and length.

const paragraphs = [
  'The goroutines in `ProcessOrder` outlive the request that started them, because nothing tells them that it is over. ' +
    'I pass its **context** down, so that they end with it, and wait for them where the batch is closed.\n\n',
  '- first the *handler* takes the context\n- then the worker selects on it\n- the [retry](https://example.com/retry) keeps its own deadline\n\n',
  '### What changes\n\nNothing that a caller sees: an order that was accepted is handled, and one that was not is refused with the same words as before.\n\n',
  '```go\nfor _, order := range batch {\n\tgroup.Go(func() error { return handle(ctx, order) })\n}\nreturn group.Wait()\n```\n\n',
  '| step | before | after |\n| --- | ---: | ---: |\n| accept | 12 ms | 11 ms |\n| handle | 340 ms | 210 ms |\n\n',
  '> It is not enough to cancel: what has been taken from the queue must be put back, or it is lost.\n\n',
];

/** An answer as models give them: words, lists, code, a table, a quote, again and again. */
export function prose(length: number): string {
  let text = '';
  for (let at = 0; text.length < length; at++) text += paragraphs[at % paragraphs.length] ?? '';
  return text.slice(0, length);
}

const megabyte = 1 << 20;

function repeated(part: string, length = megabyte): string {
  return part.repeat(Math.ceil(length / part.length)).slice(0, length);
}

function mixedRuns(): string {
  let text = '';
  for (let at = 0; text.length < megabyte; at++) text += `${'`'.repeat(1 + ((at * 7) % 97))}a `;
  return text.slice(0, megabyte);
}

function nested(): string {
  let text = '';
  for (let depth = 0; text.length < megabyte; depth++) {
    const level = depth % 1500;
    text += depth % 2 === 0 ? `${'> '.repeat(level)}quoted\n` : `${'  '.repeat(level)}- item\n`;
  }
  return text.slice(0, megabyte);
}

function table(): string {
  const rows = Array.from(
    { length: 10_000 },
    (_, at) => `| ${at} | order ${at * 7} | \`accepted\` | ${at % 13} ms |\n`,
  );
  return `| n | order | state | took |\n| --- | --- | --- | ---: |\n${rows.join('')}`;
}

export const hostile: { readonly [kind: string]: () => string } = {
  stars: () => repeated('*'),
  brackets: () => repeated('['),
  backticks: () => repeated('`'),
  'mixed backticks': mixedRuns,
  'open links': () => repeated('[a]('),
  'open emphasis': () => repeated('*a '),
  nested,
  table,
  'one line': () => repeated('a line that does not end and has a word or two in **bold** and `code`, ', 5 * megabyte),
};
