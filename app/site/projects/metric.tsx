import { clsx } from 'clsx';

/** Key metric with its figure emphasized: '+40% qualified meetings'. */
export function Metric({ text, className }: { text: string; className?: string }) {
  const { figure, label } = splitMetric(text);
  return (
    <p className={clsx('text-accent', className)}>
      {figure && (
        <span className="block text-[clamp(2.5rem,2.1rem+1.7vw,3.5rem)] leading-none font-semibold tracking-[-0.04em] wrap-anywhere">
          {`${figure} `}
        </span>
      )}
      {label && (
        <span className={clsx('block wrap-anywhere', figure ? 'mt-2 text-sm font-medium' : 'text-display-3')}>
          {label}
        </span>
      )}
    </p>
  );
}

/** Splits a text that starts with a figure. Other texts have only a label. */
export function splitMetric(text: string): { figure: string; label: string } {
  const [, figure = '', label = ''] = /^([^\s\p{L}]{0,3}\d\S*)(?:\s+(.*))?$/su.exec(text.trim()) ?? [];
  return figure ? { figure, label } : { figure: '', label: text.trim() };
}
