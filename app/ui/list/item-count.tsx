interface ItemCountProps {
  /** Undefined while loading. */
  count: number | undefined;
  one: string;
  many: string;
  /** Upper limit of the count. */
  countsTo?: number | undefined;
}

/** Number of items such as '1,204 posts' or '1,000+ posts', on the right of the filters. */
export function ItemCount({ count, one, many, countsTo = Infinity }: ItemCountProps) {
  return (
    <p role="status" className="ml-auto font-mono text-label text-muted">
      {count !== undefined &&
        `${count.toLocaleString('en')}${count >= countsTo ? '+' : ''} ${count === 1 ? one : many}`}
    </p>
  );
}
