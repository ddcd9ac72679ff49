import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { editLink } from '../../api/places/edit-link.ts';
import { messageOf } from '../../ui/show-error.ts';
import { mediaUsageQuery } from '../media.ts';

/** Lists the places where a file is used, with links to their editors. */
export function UsageList({ name, heading }: { name: string; heading: string }) {
  const { data: places, error } = useQuery(mediaUsageQuery(name));
  return (
    <section className="grid gap-1.5">
      <h3 className="text-sm font-medium">{heading}</h3>
      {error && <p className="text-sm text-danger">{messageOf(error)}</p>}
      {!places && !error && <p className="text-sm text-muted">Loading...</p>}
      {places?.length === 0 && <p className="text-sm text-muted">Not used anywhere yet.</p>}
      {places && places.length > 0 && (
        <ul className="grid max-h-60 gap-1 overflow-y-auto text-[0.9375rem]">
          {places.map((place) => {
            const { label, path } = editLink(place);
            return (
              <li key={place.id}>
                <Link to={path} className="text-accent underline underline-offset-4 [overflow-wrap:anywhere]">
                  {label}
                </Link>
              </li>
            );
          })}
        </ul>
      )}
    </section>
  );
}
