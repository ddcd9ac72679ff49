interface ErrorNoteProps {
  title: string;
  /** Text of the error. */
  children: string;
}

/**
 * Error message that stays visible, unlike a toast. Also shows errors from before the page was opened, such as a failed
 * redirect sign-in.
 */
export function ErrorNote({ title, children }: ErrorNoteProps) {
  return (
    <p role="alert" className="rounded-md bg-danger-soft px-4 py-3 text-[0.9375rem] [overflow-wrap:anywhere]">
      <strong className="font-semibold">{title}.</strong> {children}
    </p>
  );
}
