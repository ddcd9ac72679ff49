import { Link } from '@tanstack/react-router';
import { Card } from '../../ui/card.tsx';
import { useMediaQuery } from '../../ui/lib/use-media-query.ts';
import { ROWS_CLASS } from '../../ui/list/rows-class.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import type { PersonListItem } from '../people.ts';
import { AccountStatusBadge } from './account-status-badge.tsx';

/** Lists people as a table on wide screens, otherwise as rows. */
export function PeopleRows({ people }: { people: readonly PersonListItem[] }) {
  const isWide = useMediaQuery('(min-width: 64rem)');
  if (!isWide) {
    return (
      <ul className={ROWS_CLASS}>
        {people.map((person) => (
          <li key={person.id} className="px-4 py-3 sm:px-5">
            <PersonRow person={person} />
          </li>
        ))}
      </ul>
    );
  }
  return (
    <Card className="overflow-hidden">
      <table className="w-full text-left text-[0.9375rem]">
        <thead className="border-b border-line font-mono text-label text-muted">
          <tr>
            {['Person', 'Role', 'Last sign-in', 'Factors', 'Sessions'].map((heading, index) => (
              <th
                key={heading}
                scope="col"
                className={index > 2 ? 'px-5 py-3 text-right font-normal' : 'px-5 py-3 font-normal'}
              >
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {people.map((person) => (
            <tr key={person.id} className="hover:bg-sunken">
              <th scope="row" className="px-5 py-3 font-normal">
                <PersonLink person={person} />
              </th>
              <td className="px-5 py-3">
                <AccountStatusBadge status={person.status} isInvited={person.isInvited} />
              </td>
              <td className="px-5 py-3 whitespace-nowrap text-muted">
                <LastSignIn at={person.lastSignInAt} />
              </td>
              <td className="px-5 py-3 text-right tabular-nums">{person.factors}</td>
              <td className="px-5 py-3 text-right tabular-nums">{person.sessions}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}

function PersonRow({ person }: { person: PersonListItem }) {
  return (
    <div className="grid grid-cols-1 gap-1">
      <div className="flex items-start justify-between gap-x-4">
        <PersonLink person={person} />
        <AccountStatusBadge status={person.status} isInvited={person.isInvited} />
      </div>
      <p className="text-sm text-muted">
        Last sign-in: <LastSignIn at={person.lastSignInAt} />
        <span>{person.sessions > 0 && ` · ${formatQuantity(person.sessions, 'session')}`}</span>
        <span>{person.factors > 0 && ` · ${formatQuantity(person.factors, 'factor')}`}</span>
      </p>
    </div>
  );
}

function PersonLink({ person: { id, email, name } }: { person: PersonListItem }) {
  return (
    <div className="grid min-w-0">
      <Link
        to="/admin/people/$id"
        params={{ id }}
        className="justify-self-start rounded-sm font-medium decoration-line-strong underline-offset-4 [overflow-wrap:anywhere] hover:underline"
      >
        {email || 'No email address'}
      </Link>
      {name && <span className="text-sm text-muted [overflow-wrap:anywhere]">{name}</span>}
    </div>
  );
}

function LastSignIn({ at }: { at: string | null }) {
  return at === null ? 'never' : <RelativeTime at={at} />;
}

function formatQuantity(count: number, singular: string): string {
  return `${count} ${singular}${count === 1 ? '' : 's'}`;
}
