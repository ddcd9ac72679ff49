import { Link } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { MAIN_PAGES } from '../../api/places/public-pages.ts';
import { Logo } from '../../settings/brand/logo.tsx';
import { buttonClass } from '../../ui/button.tsx';
import { setMobileMenuOpen, useMobileMenuOpen } from './mobile-menu-flag.ts';

/**
 * Full-screen menu. The native modal dialog traps the focus, closes on Escape and restores the focus without a library.
 */
export function MobileMenu({ siteName }: { siteName: string }) {
  const isOpen = useMobileMenuOpen();
  const dialog = useRef<HTMLDialogElement>(null);
  // Mounted on first opening, and kept mounted so that the dialog can fade out.
  const [wasOpened, setWasOpened] = useState(false);
  if (isOpen && !wasOpened) setWasOpened(true);

  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen]);
  useEffect(() => {
    // Close the menu in wide windows, which show the links in the navigation bar.
    const wide = matchMedia('(min-width: 48rem)');
    const onChange = () => wide.matches && setMobileMenuOpen(false);
    wide.addEventListener('change', onChange);
    return () => wide.removeEventListener('change', onChange);
  }, []);

  const close = () => setMobileMenuOpen(false);
  return (
    <dialog ref={dialog} aria-label="Menu" onClose={close} className="mobile-menu bg-canvas text-ink">
      {wasOpened && (
        <div className="flex min-h-full flex-col">
          <div className="page-grid flex h-17 shrink-0 items-center justify-between">
            <Logo name={siteName} />
            <button
              type="button"
              aria-label="Close menu"
              onClick={close}
              className={buttonClass({ variant: 'ghost', size: 'icon' }, '-mr-2.5')}
            >
              <X aria-hidden="true" />
            </button>
          </div>
          <nav aria-label="Menu" className="page-grid flex grow flex-col justify-center py-8">
            <ul>
              {MAIN_PAGES.map(({ label, to }, index) => (
                <li key={label} className="border-b border-line">
                  <Link
                    to={to}
                    activeOptions={{ exact: to === '/' }}
                    onClick={close}
                    className="group flex min-h-16 items-baseline gap-5 rounded-sm py-3 text-3xl font-semibold tracking-[-0.03em]"
                  >
                    <span aria-hidden="true" className="w-6 font-mono text-label font-normal text-muted">
                      {`0${index + 1}`}
                    </span>
                    <span className="group-aria-[current=page]:text-accent">{label}</span>
                  </Link>
                </li>
              ))}
            </ul>
            <Link to="/" hash="booking" onClick={close} className={buttonClass({ size: 'lg' }, 'mt-8 self-start')}>
              Book a call
            </Link>
          </nav>
        </div>
      )}
    </dialog>
  );
}
