// Markdown as it streams. Promises: a finished piece is lexed once and drawn once; while a text runs, only its last
// piece is lexed again; very long texts are lexed where they come near the eye.

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

export function Markdown({ text, running }: { readonly text: string; readonly running: boolean }) {
  const before = useRef<{ readonly pieces: readonly Piece[]; readonly groups: readonly Group[] }>(nothing);
  const { pieces, groups } = useMemo(() => {
    const pieces = cutPieces(text, before.current.pieces);
    return (before.current = { pieces, groups: groupPieces(pieces, before.current.groups) });
  }, [text]);
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
        />
      ))}
    </>
  );
}

const nothing = { pieces: [], groups: [] };

interface GroupProps {
  readonly group: Group;
  readonly definitions: string;
  /** Whether its last piece still grows. */
  readonly tail: boolean;
  readonly lazy: boolean;
}

const GroupOf = memo(({ group, definitions, tail, lazy }: GroupProps) => (
  <div class={tail ? 'group tail' : 'group'}>
    {group.map((piece, at) => {
      const growing = tail && at === group.length - 1;
      if (piece.kind === 'plain') return <PlainPiece key={piece.start} raw={piece.raw} inLine={piece.inLine} />;
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
