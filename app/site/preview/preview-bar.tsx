import { formatUtcTime, type OpenPreview, previewLabel } from '../../editing/previews/preview-labels.ts';
import { buttonClass } from '../../ui/button.tsx';

/** Bar on every page of a preview with its name, expiry and exit. Server-rendered, without a script. */
export function PreviewBar({ preview, base }: { preview: OpenPreview; base: string }) {
  const label = previewLabel({ ...preview, title: preview.item?.title ?? null });
  return (
    <aside
      aria-label="Preview"
      className="preview-bar fixed inset-x-0 bottom-0 z-40 h-(--preview-bar) border-t border-line-strong bg-surface text-ink print:hidden"
    >
      <div className="page-grid flex h-full items-center justify-between gap-4">
        <div className="grid min-w-0 text-sm leading-snug md:flex md:items-baseline md:gap-x-3">
          <p title={label} className="truncate">
            <span className="mr-2 font-mono text-label text-signal uppercase">Preview</span>
            {label}
          </p>
          <p className="truncate text-muted">
            Until <time dateTime={preview.expires_at}>{formatUtcTime(preview.expires_at)}</time>
          </p>
        </div>
        <form method="post" action={`${base}/leave`} className="shrink-0">
          <button type="submit" className={buttonClass({ variant: 'secondary', size: 'sm' })}>
            Leave<span className="sr-only"> the preview</span>
          </button>
        </form>
      </div>
    </aside>
  );
}
