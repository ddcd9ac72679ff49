interface ItemCountProps {
  /** Undefined while loading. */
  count: number | undefined;
  singular: string;
  plural: string;
  /** Limit at which counting stops. A count that reaches it is shown with a plus sign. */
  maxCount?: number | undefined;
}

/** Number of items such as '1,204 posts' or '1,000+ posts', on the right of the filters. */
export function ItemCount({ count, singular, plural, maxCount = Infinity }: ItemCountProps) {
  return (
    <p role="status" className="ml-auto font-mono text-label text-muted">
      {count !== undefined &&
        `${count.toLocaleString('en')}${count >= maxCount ? '+' : ''} ${count === 1 ? singular : plural}`}
    </p>
  );
}
