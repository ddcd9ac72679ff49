import { createLink } from '@tanstack/react-router';
import { type ClassValue, clsx } from 'clsx';
import type { ComponentProps, ComponentType } from 'react';
import { Spinner } from './spinner.tsx';

interface ButtonStyle {
  /**
   * `danger` runs a destructive action, `danger-outline` opens its confirmation dialog, and `link` looks like a text
   * link.
   */
  variant?: 'primary' | 'secondary' | 'ghost' | 'danger' | 'danger-outline' | 'link' | undefined;
  /** `icon` is a 44 px square for a single icon. It needs an aria-label. */
  size?: 'sm' | 'md' | 'lg' | 'icon' | undefined;
}

const VARIANTS = {
  primary: 'bg-accent text-on-accent shadow-sm hover:bg-accent-strong forced-colors:border',
  secondary: 'border border-line-strong bg-surface text-ink hover:border-ink hover:bg-sunken',
  ghost: 'text-ink hover:bg-sunken forced-colors:border',
  danger: 'bg-danger text-on-danger shadow-sm hover:opacity-90 forced-colors:border',
  'danger-outline': 'border border-line-strong bg-surface text-danger hover:border-danger hover:bg-danger-soft',
  link: 'text-accent underline decoration-line-strong underline-offset-4 hover:decoration-current',
};

const SIZES = {
  sm: 'min-h-9 rounded-md px-3 text-sm',
  md: 'min-h-11 rounded-md px-5 text-[0.9375rem]',
  lg: 'min-h-13 rounded-md px-7 text-base',
  icon: 'size-11 shrink-0 rounded-md',
};

/** Button classes for other elements, such as external links and Radix triggers. */
export function buttonClass({ variant = 'primary', size = 'md' }: ButtonStyle, ...extra: ClassValue[]): string {
  return clsx(
    'inline-flex items-center justify-center gap-2 font-medium whitespace-nowrap select-none',
    'transition-[background-color,border-color,color,opacity,transform] duration-150 ease-out active:translate-y-px',
    'disabled:pointer-events-none disabled:opacity-55 aria-disabled:cursor-not-allowed not-aria-busy:aria-disabled:opacity-55 [&_svg]:size-[1.15em] [&_svg]:shrink-0',
    VARIANTS[variant],
    variant === 'link' ? 'min-h-6 rounded-sm' : SIZES[size],
    extra,
  );
}

/** Label beside an icon. On phones inside [data-compact], only the icon is shown. */
export const COMPACT_LABEL_CLASS = 'max-sm:in-data-compact:sr-only';

interface ButtonProps extends ComponentProps<'button'>, ButtonStyle {
  /** Shows a spinner and ignores clicks. Unlike a disabled button, it keeps the focus. */
  loading?: boolean | undefined;
  /** Shown before the label, and replaced by the spinner. */
  icon?: ComponentType<ComponentProps<'svg'>> | undefined;
}

export function Button({
  variant,
  size,
  loading = false,
  icon: Icon,
  className,
  onClick,
  children,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-disabled={loading || rest['aria-disabled']}
      aria-busy={loading || undefined}
      // Also prevents implicit submission with Enter, which browsers implement as a click on the button.
      onClick={loading ? (event) => event.preventDefault() : onClick}
      className={buttonClass({ variant, size }, className)}
    >
      {loading ? <Spinner /> : Icon && <Icon aria-hidden="true" />}
      {/* Separate element, because browsers replace text nodes when they translate (scripts/check-text-nodes.ts). */}
      <span className="contents">{children}</span>
    </button>
  );
}

/** Internal link that looks like a button: `<ButtonLink to="/contact">`. */
export const ButtonLink = /* @__PURE__ */ createLink(function ButtonAnchor({
  variant,
  size,
  className,
  ...rest
}: ComponentProps<'a'> & ButtonStyle) {
  return <a {...rest} className={buttonClass({ variant, size }, className)} />;
});
