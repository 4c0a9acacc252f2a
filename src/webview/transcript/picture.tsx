// A picture in a message. Promises: it is asked for when it comes near the eye, and its place has its size before, so that
// nothing jumps; where it cannot be shown, the line with its name stands for it.

import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { BlockAt } from '../tools/place.tsx';
import { usePanel } from '../panel.ts';

export function Picture({ message, at, name }: BlockAt & { readonly name: string }) {
  const { store, pictures } = usePanel();
  const session = store.part('session').value ?? '';
  const place = useMemo(() => ({ session, message, block: at }), [session, message, at]);
  const frame = useRef<HTMLDivElement>(null);
  const [near, setNear] = useState(false);
  const [broken, setBroken] = useState(false);
  useEffect(() => {
    if (near || !frame.current) return undefined;
    const watch = new IntersectionObserver(entries => setNear(entries.some(entry => entry.isIntersecting)), {
      rootMargin: '600px',
    });
    watch.observe(frame.current);
    return () => watch.disconnect();
  }, [near]);
  const shown = useMemo(() => (near ? pictures.show(place) : null), [near, place]);
  useLayoutEffect(() => shown?.end, [shown]);
  const picture = shown?.picture.value ?? null;
  if (picture === 'none' || broken) return <div class="picture missing">This picture cannot be shown</div>;
  return (
    <div class="picture" ref={frame}>
      {picture !== null && <img src={picture.address} alt={name} onError={() => setBroken(true)} />}
    </div>
  );
}
