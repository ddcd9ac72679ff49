/** Answers about projects. They name the client, so that results of a client are not presented as ours. */
import { keywords, plainText } from '../search.ts';
import type { Review } from '../site-content.ts';
import { escapeMarkdown, link, list, sentencesOf, shorten } from '../wording.ts';
import { serviceOf } from './answers-services.ts';
import { admitUnpublished, admitUnpublishedOf } from './answers-unknown.ts';
import { isExampleWord } from './recognise.ts';
import type { ProjectSubject } from './subjects.ts';
import { formatPhrase, pageLink, pageSource, REFERS_BACK, type Reply, type Turn } from './turn.ts';

const MAX_LISTED = 4;

export function projectOf({ entities, subject }: Turn): ProjectSubject | null {
  return entities.project ?? (subject?.kind === 'projects' ? subject : null);
}

export function answerProjects(turn: Turn): Reply {
  const { entities, names, matches } = turn;
  if (entities.project) return describeProject(turn, entities.project);
  if (entities.industry) return listProjects(turn, names.projectsInIndustry(entities.industry));
  const service = serviceOf(turn);
  if (service && names.projectsUsing(service).length > 0) return listProjects(turn, names.projectsUsing(service));
  // "Have you worked with florists?" names something that may not occur in any project.
  if (keywords(turn.text).every((word) => isExampleWord(word, turn.language)))
    return listProjects(turn, names.projects);
  const matchingProjects = matches.flatMap((passage) =>
    passage.kind === 'projects' && passage.coverage >= turn.limits.enough ? [passage] : [],
  );
  return listProjects(turn, matchingProjects);
}

/** Lists matching projects. Without a match, lists all projects with a notice. */
function listProjects(turn: Turn, matchingProjects: readonly ProjectSubject[]): Reply {
  const projects = (matchingProjects.length > 0 ? matchingProjects : turn.names.projects).slice(0, MAX_LISTED);
  if (projects.length === 0) return admitUnpublished(turn);
  return {
    text: [
      formatPhrase(turn, matchingProjects.length > 0 ? 'quote' : 'noMatchingProjects', {
        page: pageLink(turn, 'projects'),
      }),
      list(projects.map(lineOf)),
      formatPhrase(turn, 'which'),
    ],
    sources: [pageSource(turn, 'projects')],
    ...(matchingProjects.length === 0 && { isUnanswered: true as const }),
    subject: projects.length === 1 ? projects[0] : undefined,
    closingQuestion: 'which',
    listedItems: projects,
  };
}

function lineOf(project: ProjectSubject): string {
  const { metric, description } = project.item;
  return [
    nameOf(project),
    metric && `: ${escapeMarkdown(metric)}`,
    description && `. ${escapeMarkdown(shorten(plainText(description), 140))}`,
  ]
    .filter(Boolean)
    .join('');
}

/** Returns a link to a project, with its client. */
export function nameOf({ title, url, item: { company } }: ProjectSubject): string {
  return `${link(title, url)}${company ? ` (${escapeMarkdown(company)})` : ''}`;
}

/** Describes a project: client, result and summary. */
export function describeProject(turn: Turn, project: ProjectSubject): Reply {
  const { metric, description } = project.item;
  return {
    text: [
      [nameOf(project), escapeMarkdown(metric)].filter(Boolean).join(': '),
      description && `> ${escapeMarkdown(plainText(description))}`,
      formatPhrase(turn, 'talk'),
    ],
    sources: [project],
    subject: project,
    closingQuestion: 'shall we talk',
    listedItems: [],
  };
}

/** Returns the part of a project's text about the work, the result or the duration. */
export function answerAboutProject(turn: Turn, project: ProjectSubject, part: 'how' | 'result' | 'time'): Reply {
  const excerpt = part === 'time' ? durationsIn(project) : sectionOf(project, part);
  const metric = part === 'result' && project.item.metric ? `**${escapeMarkdown(project.item.metric)}**. ` : '';
  if (!excerpt && !metric) return admitUnpublishedOf(turn, project);
  return {
    text: [
      formatPhrase(turn, 'quote', { page: nameOf(project) }),
      `> ${metric}${escapeMarkdown(shorten(excerpt, 500))}`,
      formatPhrase(turn, 'talk'),
    ],
    sources: [project],
    subject: project,
    closingQuestion: 'shall we talk',
  };
}

/** Returns the client in question, named in the message or earlier in the conversation. */
export function requestedClient({ text, entities, subject }: Turn): ProjectSubject | null {
  if (entities.project) return entities.project;
  return subject?.kind === 'projects' && REFERS_BACK.test(text) ? subject : null;
}

const HEADINGS = {
  how: /\b(buil[dt]|did|do|how|approach|solution|rescue|sequence|grounded|work)\b/i,
  result: /\b(results?|changed?|after|outcome|effect|possible|became|achieved)\b/i,
};

function sectionOf({ item: { full_content, description } }: ProjectSubject, part: keyof typeof HEADINGS): string {
  const [opening = '', ...sections] = full_content.split(/^#{1,6} +/m);
  const titledSections = sections.map((section) => {
    const [heading = '', ...lines] = section.split('\n');
    return { heading, text: plainText(lines.join('\n')) };
  });
  const matchingSection = titledSections.find(({ heading }) => HEADINGS[part].test(heading));
  if (matchingSection) return matchingSection.text;
  if (part === 'result') return titledSections.at(-1)?.text ?? '';
  return titledSections[0]?.text || plainText(opening) || plainText(description);
}

/** Returns sentences with a duration, preferably about the result. */
function durationsIn(project: ProjectSubject): string {
  const duration = /\b(days?|weeks?|months?|quarters?|years?)\b/i;
  const durationSentences = [sectionOf(project, 'result'), plainText(project.item.full_content)].map((text) =>
    sentencesOf(text).filter((sentence) => duration.test(sentence)),
  );
  return (durationSentences.find((sentences) => sentences.length > 0) ?? []).slice(0, 2).join(' ');
}

/** Gives an example for the subject of the conversation. */
export function answerExample(turn: Turn): Reply {
  const project = projectOf(turn);
  if (project) return answerAboutProject(turn, project, 'how');
  if (turn.entities.country) return answerCountries(turn);
  const service = serviceOf(turn);
  const [example] = service ? turn.names.projectsUsing(service) : turn.names.projects;
  return example && !turn.entities.industry ? describeProject(turn, example) : answerProjects(turn);
}

export function answerReviews(turn: Turn): Reply {
  const client = requestedClient(turn);
  const reviews = client ? reviewsOf(turn, client) : turn.content.reviews.slice(0, 3);
  if (reviews.length > 0) return quoteReviews(turn, reviews);
  return client ? admitUnpublishedOf(turn, client) : answerProjects(turn);
}

/** Returns the reviews by people of the project's client. */
export function reviewsOf({ content }: Turn, { item }: ProjectSubject): Review[] {
  return content.reviews.filter(({ company }) => company !== '' && company === item.company);
}

/** Quotes reviews, each with the author's role and company. */
export function quoteReviews(turn: Turn, reviews: readonly Review[]): Reply {
  const lines = reviews.map(
    ({ author_name, author_role, company, quote }) =>
      `**${escapeMarkdown(author_name)}**, ${[author_role, company].filter(Boolean).map(escapeMarkdown).join(', ')}: "${escapeMarkdown(plainText(quote))}"`,
  );
  return {
    text: [formatPhrase(turn, 'reviews'), list(lines), formatPhrase(turn, 'next')],
    sources: [{ title: reviews[0]?.author_name ?? '', url: '/#testimonials' }],
    closingQuestion: 'about the visitor',
  };
}

/** Declines to promise results, and shows results of projects. */
export function declineGuarantee(turn: Turn): Reply {
  const results = turn.names.projects.filter(({ item }) => item.metric).slice(0, 3);
  return {
    text: [
      formatPhrase(turn, 'guarantee'),
      list(results.map((project) => `${nameOf(project)}: ${escapeMarkdown(project.item.metric)}`)),
      formatPhrase(turn, 'next'),
    ],
    closingQuestion: 'about the visitor',
    isUnanswered: true,
  };
}

/** Lists projects that mention a country. Our own places of work are not published. */
export function answerCountries(turn: Turn): Reply {
  const { country } = turn.entities;
  const projects = country ? turn.names.projectsMentioning(country.name, true).slice(0, 3) : [];
  if (projects.length === 0) {
    const relatedProjects = country ? turn.names.projectsMentioning(country.name).slice(0, 3) : [];
    return { ...admitUnpublished(turn, '', list(relatedProjects.map(lineOf))), listedItems: relatedProjects };
  }
  return {
    text: [
      formatPhrase(turn, 'quote', { page: pageLink(turn, 'projects') }),
      list(projects.map(lineOf)),
      formatPhrase(turn, 'next'),
    ],
    sources: projects,
    closingQuestion: 'about the visitor',
    listedItems: projects,
  };
}
