import { findMetadata } from '../../api/pictures.ts';
import type { PublishedTeamMember } from '../../content/team-members/published.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { buttonClass } from '../../ui/button.tsx';
import { ContactDetail } from './contact-section.tsx';

/** Maximum number of people beside the form. All people are listed on the About page. */
const MAX_PEOPLE = 4;

interface ContactDetailsProps {
  /** Promised reply time. Empty if the setting is empty. */
  replyTime: string;
  members: readonly PublishedTeamMember[];
  /** Heading of the questions below the form. Null if there are no questions. */
  questions: string | null;
}

/** Reply time, a link to the questions and answers, and the people who reply. */
export function ContactDetails({ replyTime, members, questions }: ContactDetailsProps) {
  return (
    <dl className="grid content-start gap-6 empty:hidden sm:grid-cols-2 lg:col-span-4 lg:grid-cols-1 *:last:col-span-full">
      {replyTime && <ContactDetail term="When">{`We reply ${replyTime}.`}</ContactDetail>}
      {questions !== null && (
        <ContactDetail term="Before you write">
          <a href="#questions" className={buttonClass({ variant: 'link' })}>
            {questions}
          </a>
        </ContactDetail>
      )}
      {members.length > 0 && (
        <ContactDetail term="Who answers">
          <ul className="grid gap-3 pt-1.5 sm:max-lg:grid-cols-2">
            {members.slice(0, MAX_PEOPLE).map(({ id, name, position, avatar_url, pictures }) => (
              <li key={id} className="flex items-center gap-3">
                <Avatar name={name} src={avatar_url} metadata={findMetadata(pictures, avatar_url)} />
                <p className="min-w-0 leading-snug wrap-anywhere">
                  <span className="font-semibold">{name}</span>
                  <span className="block text-sm text-muted">{position}</span>
                </p>
              </li>
            ))}
          </ul>
        </ContactDetail>
      )}
    </dl>
  );
}
