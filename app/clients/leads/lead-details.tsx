/** Components that show a lead, in the portal and on the linked lead page. */
import { Button } from '../../ui/button.tsx';
import { formatDate } from '../../ui/lib/format-date.ts';
import { formatTime } from '../../ui/lib/format-time.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import type { OpenTab } from '../open-tab.ts';
import { LEAD_STATUSES, type Lead, leadName } from './lead-schema.ts';
import { StatusBadge } from './status-badge.tsx';

/** Shows the person, the status and the member who took the lead. */
export function LeadHead({ lead }: { lead: Lead }) {
  const name = leadName(lead);
  const work = [lead.title, lead.company === name ? '' : lead.company].filter(Boolean).join(', ');
  return (
    <header className="grid justify-items-start gap-2 pr-10">
      <h2 className="text-xl font-semibold [overflow-wrap:anywhere]">{name}</h2>
      {work !== '' && <p className="text-muted [overflow-wrap:anywhere]">{work}</p>}
      <div className="flex flex-wrap items-center gap-3">
        <StatusBadge status={lead.status} />
        <span className="text-sm text-muted">
          {lead.status === 'new' || lead.taken_by === '' ? (
            <RelativeTime at={lead.received_at} />
          ) : (
            `taken by ${lead.taken_by}`
          )}
        </span>
      </div>
    </header>
  );
}

/** Quotes the beginning of the reply. */
export function LeadReply({ lead: { words } }: { lead: Pick<Lead, 'words'> }) {
  return (
    words !== '' && (
      <blockquote className="border-l-2 border-accent pl-4 whitespace-pre-line [overflow-wrap:anywhere]">
        {words}
      </blockquote>
    )
  );
}

interface LeadFactsProps {
  lead: Lead;
  /** Undefined on a page without tabs. */
  openTab?: OpenTab;
}

/** Shows the contact, the campaign, the answered text and the matching row of the approved list. */
export function LeadFacts({ lead, openTab }: LeadFactsProps) {
  const { email, campaign, step, text, approval_id, list_row } = lead;
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-2 empty:hidden [&_dt]:text-muted">
      {email !== '' && (
        <>
          <dt>{email.includes('@') ? 'Email' : 'Contact'}</dt>
          <dd className="[overflow-wrap:anywhere]">
            {email.includes('@') ? (
              <a
                href={`mailto:${encodeURIComponent(email).replace('%40', '@')}`}
                className="underline underline-offset-4"
              >
                {email}
              </a>
            ) : (
              email
            )}
          </dd>
        </>
      )}
      {campaign !== null && (
        <>
          <dt>Campaign</dt>
          <dd className="[overflow-wrap:anywhere]">{campaign}</dd>
        </>
      )}
      {step !== null && (
        <>
          <dt>Step</dt>
          <dd>{step}</dd>
        </>
      )}
      {text !== null && approval_id !== null && (
        <>
          <dt>Text</dt>
          <dd className="[overflow-wrap:anywhere]">
            <ApprovalLink id={approval_id} title={text} openTab={openTab} />
          </dd>
        </>
      )}
      {list_row && (
        <>
          <dt>List</dt>
          <dd className="[overflow-wrap:anywhere]">
            <ApprovalLink id={list_row.approval_id} title={list_row.title} openTab={openTab} />
            <p className="text-sm text-muted">
              {`Line ${list_row.line.toLocaleString('en-GB')}: ${formatListRow(list_row)}. Version ${list_row.number}, approved on ${formatDate(list_row.decided_at)}.`}
            </p>
          </dd>
        </>
      )}
    </dl>
  );
}

interface ApprovalLinkProps {
  id: string;
  title: string;
  openTab: OpenTab | undefined;
}

/** Links to an approval by its title. Renders plain text on a page without tabs. */
function ApprovalLink({ id, title, openTab }: ApprovalLinkProps) {
  if (!openTab) return title;
  return (
    <Button
      variant="link"
      className="text-left whitespace-normal"
      onClick={() => openTab.open('approvals', `approval-${id}`)}
    >
      {title}
    </Button>
  );
}

/** Formats a row of a list, such as 'Kari Moe, CEO, Kunde AS, k***@kunde.no'. */
function formatListRow({ person, company, domain, hint }: NonNullable<Lead['list_row']>): string {
  return [person, company || domain, hint].filter(Boolean).join(', ');
}

/** Lists the status changes, latest first, and how the lead was received. */
export function LeadHistory({ lead }: { lead: Lead }) {
  const { changes, origin, added_by, received_at } = lead;
  const firstEntry = origin === 'person' ? `Added${added_by && ` by ${added_by}`}` : 'Replied with interest';
  return (
    <section className="grid gap-3">
      <h3 className="font-semibold">History</h3>
      <ol className="grid gap-3 text-sm">
        {changes.map(({ number, status, reason, at, by }) => (
          <li key={number}>
            <p>
              <span className="font-medium">{LEAD_STATUSES[status]}</span>
              {by !== '' && <span>{`, ${by}`}</span>}
              <time className="text-muted" dateTime={at}>{`, ${formatTime(at)}`}</time>
            </p>
            {reason !== '' && <p className="text-muted whitespace-pre-line [overflow-wrap:anywhere]">{reason}</p>}
          </li>
        ))}
        <li>
          <span className="font-medium">{firstEntry}</span>
          <time className="text-muted" dateTime={received_at}>{`, ${formatTime(received_at)}`}</time>
        </li>
      </ol>
    </section>
  );
}
