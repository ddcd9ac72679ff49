import { useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { useAllowed } from '../../api/host/page-policy.ts';
import { signedUrlQuery } from '../files/files.ts';

/** Logo of a client. Reserves its space while loading and renders nothing without a logo. */
export function ClientLogo({ logo, className }: { logo: string | null; className?: string }) {
  return logo === null ? null : <Picture logo={logo} className={className} />;
}

function Picture({ logo, className }: { logo: string; className: string | undefined }) {
  const { data: url } = useQuery(signedUrlQuery(logo));
  const isAllowed = useAllowed('pictures');
  return (
    // Most logos are designed for a white background. The width limit leaves space for the name.
    <span
      className={clsx(
        'inline-grid h-11 max-w-36 min-w-11 grid-cols-[minmax(0,1fr)] grid-rows-[minmax(0,1fr)] place-items-center rounded-md bg-[white] p-1',
        className,
      )}
    >
      {url !== undefined && isAllowed(url) && <img src={url} alt="" className="max-h-full max-w-full object-contain" />}
    </span>
  );
}
