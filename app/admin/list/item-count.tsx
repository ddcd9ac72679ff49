interface ItemCountProps {
  /** Undefined until it is known. */
  count: number | undefined;
  one: string;
  many: string;
}

/** '1,204 posts', at the right of a list's filters. */
export function ItemCount({ count, one, many }: ItemCountProps) {
  return (
    <p role="status" className="ml-auto font-mono text-label text-muted">
      {count !== undefined && `${count.toLocaleString('en')} ${count === 1 ? one : many}`}
    </p>
  );
}
