// Markdown as it streams. Promises: a finished piece is lexed once and drawn once; while a text runs, only its last
// piece is lexed again; very long texts are lexed where they come near the eye, and of much that comes at once a group in
// each frame, so that a key never waits for all of it.

import { createContext } from 'preact';
import { useContext, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { memo } from '../transcript/memo.ts';
import { usePanel } from '../panel.ts';
import { CodeBlock, Growing } from './codeBlock.ts';
import { groupPieces, type Group } from './groups.ts';
import { cutPieces, type Piece } from './pieces.ts';
import { renderTokens } from './render.ts';

/** What is drawn inside may name these files. */
export const FileNames = createContext<readonly string[]>([]);

/** Beyond this, pieces wait as plain text until they are near. */
const lazyFrom = 200_000;
/** As many letters at the end of a text are drawn as they come. */
const drawnAtOnce = 16_000;

export function Markdown({ text, running }: { readonly text: string; readonly running: boolean }) {
  const before = useRef<Cut>(nothing);
  const waiting = useRef(new Set<number>()).current;
  const { pieces, groups } = useMemo(() => {
    const old = before.current;
    const pieces = cutPieces(text, old.pieces);
    const groups = groupPieces(pieces, old.groups);
    if (old !== nothing && text.length - old.length > drawnAtOnce)
      for (let at = old.groups.length; at < groups.length - 2; at++) waiting.add(at);
    return (before.current = { length: text.length, pieces, groups });
  }, [text]);
  useDrawingLater(waiting);
  const lexer = usePanel().lexer.value;
  // Definitions may come last, so they are looked for when the text is whole; until then a reference shows as typed.
  const definitions = useMemo(() => (running ? '' : (lexer?.definitionsIn(pieces) ?? '')), [pieces, running, lexer]);
  // A text that grew this long before the eye is drawn already; starting over would only stall.
  const [lazy] = useState(text.length > lazyFrom);
  return (
    <>
      {groups.map((group, at) => (
        <GroupOf
          key={at}
          group={group}
          definitions={definitions}
          tail={running && at === groups.length - 1}
          lazy={lazy}
          waits={waiting.has(at)}
        />
      ))}
    </>
  );
}

interface Cut {
  readonly length: number;
  readonly pieces: readonly Piece[];
  readonly groups: readonly Group[];
}

const nothing: Cut = { length: 0, pieces: [], groups: [] };

/** In each frame one group waits no more, the last one first: the eye is at the end of what comes. */
function useDrawingLater(waiting: Set<number>): void {
  const [, draw] = useState(0);
  useEffect(() => {
    if (waiting.size === 0) return undefined;
    const frame = requestAnimationFrame(() => {
      waiting.delete(Math.max(...waiting));
      draw(drawn => drawn + 1);
    });
    return () => cancelAnimationFrame(frame);
  });
}

interface GroupProps {
  readonly group: Group;
  readonly definitions: string;
  /** Whether its last piece still grows. */
  readonly tail: boolean;
  readonly lazy: boolean;
  /** It is plain text until a frame has time for it. */
  readonly waits: boolean;
}

const GroupOf = memo(({ group, definitions, tail, lazy, waits }: GroupProps) => (
  <div class={tail ? 'group tail' : 'group'}>
    {group.map((piece, at) => {
      const growing = tail && at === group.length - 1;
      if (waits || piece.kind === 'plain')
        return <PlainPiece key={piece.start} raw={piece.raw} inLine={piece.inLine} />;
      if (piece.kind === 'code') {
        return (
          <Growing.Provider key={piece.start} value={growing}>
            <CodePiece code={piece.code ?? ''} language={piece.language ?? ''} />
          </Growing.Provider>
        );
      }
      const Shown = lazy && !growing ? LazyPiece : MarkdownPiece;
      return <Shown key={piece.start} raw={piece.raw} definitions={definitions} tail={growing} />;
    })}
  </div>
));

interface PieceProps {
  readonly raw: string;
  readonly definitions: string;
  readonly tail: boolean;
}

const CodePiece = memo(({ code, language }: { readonly code: string; readonly language: string }) => (
  <CodeBlock code={code} language={usePanel().lexer.value?.languageOf(language) ?? language} />
));

interface PlainProps {
  readonly raw: string;
  readonly inLine: true | undefined;
}

const PlainPiece = memo(({ raw, inLine }: PlainProps) => (
  <div class={inLine ? 'plain inLine' : 'plain'}>{raw.trimEnd()}</div>
));

const MarkdownPiece = memo(({ raw, definitions, tail }: PieceProps) => {
  const { post, lexer } = usePanel();
  const files = useContext(FileNames);
  if (!lexer.value) return <div class="plain">{raw.trimEnd()}</div>;
  const shown = renderTokens(lexer.value.lexPiece(raw, definitions, tail, files), url =>
    post({ type: 'openLink', url }),
  );
  return <Growing.Provider value={tail}>{shown}</Growing.Provider>;
});

const LazyPiece = memo((props: PieceProps) => {
  const place = useRef<HTMLDivElement>(null);
  const [near, setNear] = useState(false);
  useEffect(() => {
    if (!place.current) return undefined;
    const watch = new IntersectionObserver(entries => setNear(entries.some(entry => entry.isIntersecting)), {
      rootMargin: '1000px',
    });
    watch.observe(place.current);
    return () => watch.disconnect();
  }, [near]);
  if (near) return <MarkdownPiece {...props} />;
  return (
    <div class="plain" ref={place}>
      {props.raw.trimEnd()}
    </div>
  );
});
