interface RefusalNoteProps {
  title: string;
  /** The backend's words. */
  children: string;
}

/** Tells what was refused before the page opened. Unlike a toast it stays: the person has pressed nothing here. */
export function RefusalNote({ title, children }: RefusalNoteProps) {
  return (
    <p role="alert" className="rounded-md bg-danger-soft px-4 py-3 text-[0.9375rem] [overflow-wrap:anywhere]">
      <strong className="font-semibold">{title}.</strong> {children}
    </p>
  );
}
