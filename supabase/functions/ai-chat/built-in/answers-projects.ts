/** Answers about projects. They name the client, so that results of a client are not presented as ours. */
import { keywords, plainText } from '../search.ts';
import type { Review } from '../site-content.ts';
import { escapeMarkdown, link, list, sentencesOf, shorten } from '../wording.ts';
import { serviceOf } from './answers-services.ts';
import { admitUnpublished, admitUnpublishedOf } from './answers-unknown.ts';
import { isExampleWord } from './recognise.ts';
import type { ProjectSubject } from './subjects.ts';
import { pageLink, pageSource, REFERS_BACK, type Reply, say, type Turn } from './turn.ts';

const MAX_LISTED = 4;

export function projectOf({ named, subject }: Turn): ProjectSubject | null {
  return named.project ?? (subject?.kind === 'projects' ? subject : null);
}

export function answerProjects(turn: Turn): Reply {
  const { named, names, found } = turn;
  if (named.project) return describeProject(turn, named.project);
  if (named.industry) return listProjects(turn, names.ofIndustry(named.industry));
  const service = serviceOf(turn);
  if (service && names.showing(service).length > 0) return listProjects(turn, names.showing(service));
  // "Have you worked with florists?" names something that may not occur in any project.
  if (keywords(turn.text).every((word) => isExampleWord(word, turn.language)))
    return listProjects(turn, names.projects);
  const fitting = found.flatMap((passage) =>
    passage.kind === 'projects' && passage.coverage >= turn.limits.enough ? [passage] : [],
  );
  return listProjects(turn, fitting);
}

/** Lists matching projects. Without a match, lists all projects with a notice. */
function listProjects(turn: Turn, fitting: readonly ProjectSubject[]): Reply {
  const projects = (fitting.length > 0 ? fitting : turn.names.projects).slice(0, MAX_LISTED);
  if (projects.length === 0) return admitUnpublished(turn);
  return {
    text: [
      say(turn, fitting.length > 0 ? 'quote' : 'projectsNoneSuch', { page: pageLink(turn, 'projects') }),
      list(projects.map(lineOf)),
      say(turn, 'which'),
    ],
    sources: [pageSource(turn, 'projects')],
    ...(fitting.length === 0 && { isUnanswered: true as const }),
    subject: projects.length === 1 ? projects[0] : undefined,
    asked: 'which',
    listed: projects,
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
      say(turn, 'talk'),
    ],
    sources: [project],
    subject: project,
    asked: 'shall we talk',
    listed: [],
  };
}

/** Returns the part of a project's text about the work, the result or the duration. */
export function answerAboutProject(turn: Turn, project: ProjectSubject, part: 'how' | 'result' | 'time'): Reply {
  const excerpt = part === 'time' ? timesIn(project) : sectionOf(project, part);
  const metric = part === 'result' && project.item.metric ? `**${escapeMarkdown(project.item.metric)}**. ` : '';
  if (!excerpt && !metric) return admitUnpublishedOf(turn, project);
  return {
    text: [
      say(turn, 'quote', { page: nameOf(project) }),
      `> ${metric}${escapeMarkdown(shorten(excerpt, 500))}`,
      say(turn, 'talk'),
    ],
    sources: [project],
    subject: project,
    asked: 'shall we talk',
  };
}

/** Returns the client in question, named in the message or earlier in the conversation. */
export function clientAskedAbout({ text, named, subject }: Turn): ProjectSubject | null {
  if (named.project) return named.project;
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
  const fitting = titledSections.find(({ heading }) => HEADINGS[part].test(heading));
  if (fitting) return fitting.text;
  if (part === 'result') return titledSections.at(-1)?.text ?? '';
  return titledSections[0]?.text || plainText(opening) || plainText(description);
}

/** Returns sentences with a duration, preferably about the result. */
function timesIn(project: ProjectSubject): string {
  const duration = /\b(days?|weeks?|months?|quarters?|years?)\b/i;
  const found = [sectionOf(project, 'result'), plainText(project.item.full_content)].map((text) =>
    sentencesOf(text).filter((sentence) => duration.test(sentence)),
  );
  return (found.find((sentences) => sentences.length > 0) ?? []).slice(0, 2).join(' ');
}

/** Gives an example for the subject of the conversation. */
export function answerExample(turn: Turn): Reply {
  const project = projectOf(turn);
  if (project) return answerAboutProject(turn, project, 'how');
  if (turn.named.country) return answerCountries(turn);
  const service = serviceOf(turn);
  const [example] = service ? turn.names.showing(service) : turn.names.projects;
  return example && !turn.named.industry ? describeProject(turn, example) : answerProjects(turn);
}

export function answerReviews(turn: Turn): Reply {
  const client = clientAskedAbout(turn);
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
    text: [say(turn, 'reviews'), list(lines), say(turn, 'next')],
    sources: [{ title: reviews[0]?.author_name ?? '', url: '/#testimonials' }],
    asked: 'about the visitor',
  };
}

/** Declines to promise results, and shows results of projects. */
export function declineGuarantee(turn: Turn): Reply {
  const results = turn.names.projects.filter(({ item }) => item.metric).slice(0, 3);
  return {
    text: [
      say(turn, 'guarantee'),
      list(results.map((project) => `${nameOf(project)}: ${escapeMarkdown(project.item.metric)}`)),
      say(turn, 'next'),
    ],
    asked: 'about the visitor',
    isUnanswered: true,
  };
}

/** Lists projects that mention a country. Our own places of work are not published. */
export function answerCountries(turn: Turn): Reply {
  const { country } = turn.named;
  const about = country ? turn.names.mentioning(country.name, true).slice(0, 3) : [];
  if (about.length === 0) {
    const near = country ? turn.names.mentioning(country.name).slice(0, 3) : [];
    return { ...admitUnpublished(turn, '', list(near.map(lineOf))), listed: near };
  }
  return {
    text: [say(turn, 'quote', { page: pageLink(turn, 'projects') }), list(about.map(lineOf)), say(turn, 'next')],
    sources: about,
    asked: 'about the visitor',
    listed: about,
  };
}
