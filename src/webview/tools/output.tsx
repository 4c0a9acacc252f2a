// What came out of a tool, or would be changed by it: a text, or the lines of a change.

import type { Shown } from './toolOutput.ts';

const marks = { same: ' ', added: '+', removed: '−' };

export function Output({ shown }: { readonly shown: Shown }) {
  if (shown.kind === 'text') return <pre tabIndex={0}>{shown.text}</pre>;
  return (
    <div class="codeBlock">
      <div class="codeHead">
        <span class="codeLanguage" title={shown.path}>
          {shown.path}
        </span>
      </div>
      <pre tabIndex={0}>
        {shown.lines.map((line, at) => (
          <div key={at} class={line.kind}>
            {`${marks[line.kind]} ${line.text}`}
          </div>
        ))}
      </pre>
    </div>
  );
}
