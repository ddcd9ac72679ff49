import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { Eye } from 'lucide-react';
import { useState } from 'react';
import { Button, COMPACT_LABEL_CLASS } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { LoadError } from '../ui/load-error.tsx';
import { Select } from '../ui/select.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { type ClientPerson, clientPeopleQuery, MEMBER_KINDS } from './client-people.ts';
import { ClientSections } from './client-sections.tsx';
import { type Client, clientQuery } from './clients.ts';
import { createImpersonationCache } from './impersonation.ts';
import { OVERVIEW } from './open-tab.ts';

/** Shows the portal as a member of the client sees it. */
export function ViewAsClient({ client }: { client: Pick<Client, 'id' | 'name'> }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        variant="secondary"
        size="sm"
        className="max-sm:min-h-11"
        aria-label={`View as client: ${client.name}`}
        icon={Eye}
        onClick={() => setOpen(true)}
      >
        <span className={COMPACT_LABEL_CLASS}>View as client</span>
      </Button>
      <Dialog open={isOpen} onOpenChange={setOpen} size="lg" title={`${client.name}, client view`}>
        <ImpersonatedPortal clientId={client.id} onBack={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

function ImpersonatedPortal({ clientId, onBack }: { clientId: string; onBack: () => void }) {
  const { data: people, error, isPending, refetch } = useQuery(clientPeopleQuery(clientId));
  const [selectedId, setSelectedId] = useState<string>();
  const members = people?.filter(({ is_team, is_waiting }) => !is_team && !is_waiting) ?? [];
  const member = members.find(({ id }) => id === selectedId) ?? members[0];
  return (
    <div className="grid grid-cols-1 gap-4">
      <div className="sticky top-0 z-10 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-md border border-line bg-accent-soft px-4 py-2 sm:px-5">
        <Eye aria-hidden="true" className="size-5 shrink-0" />
        <p role="status" className="min-w-0 grow basis-48 text-sm sm:flex sm:gap-1">
          <span className="block truncate">{people && describePerson(member)}</span>{' '}
          <span className="shrink-0">{people && describeRole(member)}</span>
        </p>
        {members.length > 1 && (
          <Field label="View as" labelHidden className="w-full sm:w-52">
            <Select value={member?.id} onChange={({ target }) => setSelectedId(target.value)}>
              {members.map(({ id, name, email }) => (
                <option key={id} value={id}>
                  {name || email}
                </option>
              ))}
            </Select>
          </Field>
        )}
        <Button variant="secondary" size="sm" data-initial-focus onClick={onBack}>
          Back to your view
        </Button>
      </div>
      {isPending && <Skeleton className="h-96 rounded-lg" />}
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {people && <ImpersonatedView key={member?.id} clientId={clientId} memberId={member?.id} />}
    </div>
  );
}

function describePerson(member: ClientPerson | undefined): string {
  if (!member) return 'Viewing as a new member of this client.';
  return `Viewing as ${member.name || member.email}${member.kind ? '' : '.'}`;
}

/** Rendered separately from the address, because a long address is truncated. */
function describeRole(member: ClientPerson | undefined): string {
  return member?.kind ? `(${MEMBER_KINDS[member.kind].toLowerCase()}). Read only.` : 'Read only.';
}

function ImpersonatedView({ clientId, memberId }: { clientId: string; memberId: string | undefined }) {
  const [cache] = useState(() => createImpersonationCache(clientId, memberId));
  return (
    <QueryClientProvider client={cache}>
      <ImpersonatedSections clientId={clientId} />
    </QueryClientProvider>
  );
}

function ImpersonatedSections({ clientId }: { clientId: string }) {
  const [tab, setTab] = useState<string>(OVERVIEW);
  const { data: client, error, isPending, refetch } = useQuery(clientQuery(clientId));
  if (isPending) return <Skeleton className="h-96 rounded-lg" />;
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />;
  return client && <ClientSections client={client} openTab={{ tab, open: setTab }} isImpersonated />;
}
