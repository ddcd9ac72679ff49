/** Text control: a box with a visible border (3:1) and a clear focus ring. */
export const CONTROL_CLASS =
  'w-full min-w-0 rounded-md border border-line-strong bg-surface px-3.5 text-base text-ink shadow-sm ' +
  'transition-[border-color,background-color] duration-150 ease-out placeholder:text-muted hover:border-ink ' +
  'focus-visible:outline-offset-1 aria-invalid:border-danger aria-invalid:outline-danger ' +
  'disabled:bg-sunken disabled:text-muted disabled:hover:border-line-strong';
