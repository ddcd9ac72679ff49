import { createLink } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import type { ComponentProps } from 'react';
import { buttonClass } from '../button.tsx';

/** Link back to a list: `<BackLink to="/admin/leads">All leads</BackLink>`. */
export const BackLink = createLink(function BackAnchor({ children, ...rest }: ComponentProps<'a'>) {
  return (
    <a {...rest} className={buttonClass({ variant: 'link' }, 'justify-self-start')}>
      <ArrowLeft aria-hidden="true" />
      {children}
    </a>
  );
});
