interface ItemCountProps {
  /** Undefined until it is known. */
  count: number | undefined;
  one: string;
  many: string;
  /** Number up to which items are counted. */
  countsTo?: number | undefined;
}

/** '1,204 posts', or '1,000+ posts', at the right of a list's filters. */
export function ItemCount({ count, one, many, countsTo = Infinity }: ItemCountProps) {
  return (
    <p role="status" className="ml-auto font-mono text-label text-muted">
      {count !== undefined &&
        `${count.toLocaleString('en')}${count >= countsTo ? '+' : ''} ${count === 1 ? one : many}`}
    </p>
  );
}
