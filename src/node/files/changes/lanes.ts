// Many small pieces of work, a few at a time.

/** Rejects with the first failure, once what runs is over; what had not begun is left. */
export async function inLanes<Item>(
  items: readonly Item[],
  lanes: number,
  run: (item: Item) => Promise<void>,
): Promise<void> {
  const rest = items.values();
  const failures: unknown[] = [];
  const lane = async () => {
    for (const item of rest) {
      try {
        await run(item);
      } catch (cause) {
        failures.push(cause);
      }
      if (failures.length > 0) return;
    }
  };
  await Promise.all(Array.from({ length: Math.min(lanes, items.length) }, lane));
  if (failures.length > 0) throw failures[0];
}
