import { factsOf } from '../../api/pictures.ts';
import type { PublishedTeamMember } from '../../content/team-members/published.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { buttonClass } from '../../ui/button.tsx';
import { ContactFact } from './contact-section.tsx';

/** Maximum number of people beside the form. The others are on the About page. */
const MAX_PEOPLE = 4;

interface ContactFactsProps {
  /** Promised reply time. Empty if the setting is empty. */
  replyTime: string;
  members: readonly PublishedTeamMember[];
  /** Heading of the questions below the form. Null without questions. */
  questions: string | null;
}

/** Reply time, a link to the questions and answers, and the people who reply. */
export function ContactFacts({ replyTime, members, questions }: ContactFactsProps) {
  return (
    <dl className="grid content-start gap-6 empty:hidden sm:grid-cols-2 lg:col-span-4 lg:grid-cols-1 *:last:col-span-full">
      {replyTime && <ContactFact term="When">{`We reply ${replyTime}.`}</ContactFact>}
      {questions !== null && (
        <ContactFact term="Before you write">
          <a href="#questions" className={buttonClass({ variant: 'link' })}>
            {questions}
          </a>
        </ContactFact>
      )}
      {members.length > 0 && (
        <ContactFact term="Who answers">
          <ul className="grid gap-3 pt-1.5 sm:max-lg:grid-cols-2">
            {members.slice(0, MAX_PEOPLE).map(({ id, name, position, avatar_url, pictures }) => (
              <li key={id} className="flex items-center gap-3">
                <Avatar name={name} src={avatar_url} facts={factsOf(pictures, avatar_url)} />
                <p className="min-w-0 leading-snug wrap-anywhere">
                  <span className="font-semibold">{name}</span>
                  <span className="block text-sm text-muted">{position}</span>
                </p>
              </li>
            ))}
          </ul>
        </ContactFact>
      )}
    </dl>
  );
}
