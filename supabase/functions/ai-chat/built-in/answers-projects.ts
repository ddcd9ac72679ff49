/** Answers from projects. They are about clients, and say so: nothing of a client's is presented as ours. */

import { keywords, plainText } from '../search.ts';
import type { Review } from '../site-content.ts';
import { escapeMarkdown, link, list, sentencesOf, shorten } from '../wording.ts';
import { serviceOf } from './answers-services.ts';
import { countryName, englishCountryName } from './countries.ts';
import { isExampleWord } from './recognise.ts';
import type { ProjectSubject, Subject } from './subjects.ts';
import { pageLink, pageSource, REFERS_BACK, type Reply, say, type Turn } from './turn.ts';

const MAX_LISTED = 4;

export function projectOf({ named, subject }: Turn): ProjectSubject | null {
  return named.project ?? (subject?.kind === 'projects' ? subject : null);
}

export function tellProjects(turn: Turn): Reply {
  const { named, names, found } = turn;
  if (named.project) return describeProject(turn, named.project);
  if (named.industry) {
    const fitting = names.ofIndustry(named.industry);
    if (fitting.length > 0) return listProjects(turn, 'projectsFit', fitting);
    return listProjects(turn, 'projectsNoneIn', [], { industry: named.industry.name[turn.language] });
  }
  const service = serviceOf(turn);
  if (service && names.showing(service).length > 0) return listProjects(turn, 'projectsFit', names.showing(service));
  // "Have you worked with florists?" names something that no project may have.
  if (keywords(turn.text).every((word) => isExampleWord(word, turn.language)))
    return listProjects(turn, 'projectsIntro', []);
  const fitting = found.filter((passage) => passage.kind === 'projects' && passage.coverage >= 0.6);
  return listProjects(turn, fitting.length > 0 ? 'projectsFit' : 'projectsNoneSuch', fitting as ProjectSubject[]);
}

/** The projects that fit, or all of them under an introduction that says why. */
function listProjects(
  turn: Turn,
  intro: 'projectsIntro' | 'projectsFit' | 'projectsNoneIn' | 'projectsNoneSuch',
  fitting: ProjectSubject[],
  values: Record<string, string> = {},
): Reply {
  const all = turn.content.published.filter((item) => item.kind === 'projects');
  const projects = (fitting.length > 0 ? fitting : all).slice(0, MAX_LISTED);
  if (projects.length === 0) return { text: [say(turn, 'projectsNone')], asked: 'about the visitor' };
  return {
    text: [
      say(turn, intro, { page: pageLink(turn, 'projects'), ...values }),
      list(projects.map(lineOf)),
      say(turn, 'projectsNext'),
    ],
    sources: [pageSource(turn, 'projects')],
    ...(fitting.length === 0 && intro !== 'projectsIntro' && { isUnanswered: true as const }),
    subject: projects.length === 1 ? projects[0] : undefined,
    asked: 'does one resemble',
    listed: projects,
  };
}

function lineOf({ title, url, item: { company, metric, description } }: ProjectSubject): string {
  return [
    `${link(title, url)}${company ? ` (${escapeMarkdown(company)})` : ''}`,
    metric && `: ${escapeMarkdown(metric)}`,
    description && `. ${escapeMarkdown(shorten(plainText(description), 140))}`,
  ]
    .filter(Boolean)
    .join('');
}

/** One project: for whom, what came of it, what it was. */
export function describeProject(turn: Turn, project: ProjectSubject): Reply {
  const { company, metric, description } = project.item;
  const named = { page: link(project.title, project.url), client: clientOf(project), metric: escapeMarkdown(metric) };
  return {
    text: [
      say(turn, metric ? 'caseOf' : company ? 'quoteProject' : 'quotePage', named),
      description && `> ${escapeMarkdown(plainText(description))}`,
      say(turn, 'caseNext'),
    ],
    sources: [project],
    subject: project,
    asked: 'shall we talk',
    listed: [],
  };
}

function clientOf({ item, title }: ProjectSubject): string {
  return escapeMarkdown(item.company || title);
}

/** The part of a project's text that tells how it was done, what came of it, or how long it took. */
export function tellOfProject(turn: Turn, project: ProjectSubject, part: 'caseHow' | 'caseResult' | 'caseTime'): Reply {
  const told = part === 'caseTime' ? timesIn(project) : sectionOf(project, part);
  const metric = part === 'caseResult' && project.item.metric ? `**${escapeMarkdown(project.item.metric)}**. ` : '';
  if (!told && !metric) return admitUnpublishedOf(turn, project);
  return {
    text: [
      say(turn, part, { page: link(project.title, project.url), client: clientOf(project) }),
      `> ${metric}${escapeMarkdown(shorten(told, 500))}`,
      say(turn, 'talk'),
    ],
    sources: [project],
    subject: project,
    asked: 'shall we talk',
  };
}

/** The client that a message asks about: by name, or as they. */
export function clientAskedAbout({ text, named, subject }: Turn): ProjectSubject | null {
  if (named.project) return named.project;
  return subject?.kind === 'projects' && REFERS_BACK.test(text) ? subject : null;
}

/** Says that nothing of the kind is published about a client, whose project is. */
export function admitUnpublishedOf(turn: Turn, project: ProjectSubject): Reply {
  const topic = say(turn, 'topicTheirDetails', { client: clientOf(project) });
  return {
    text: [
      say(turn, 'unpublished', { topic }),
      say(turn, 'more', { pages: link(project.title, project.url) }),
      say(turn, 'personDecides'),
    ],
    subject: project,
    asked: 'about the visitor',
    isUnanswered: true,
  };
}

const HEADINGS = {
  caseHow: /\b(buil[dt]|did|do|how|approach|solution|rescue|sequence|grounded|work)\b/i,
  caseResult: /\b(results?|changed?|after|outcome|effect|possible|became|achieved)\b/i,
};

function sectionOf({ item: { full_content, description } }: ProjectSubject, part: keyof typeof HEADINGS): string {
  const [opening = '', ...sections] = full_content.split(/^#{1,6} +/m);
  const titled = sections.map((section) => {
    const [heading = '', ...lines] = section.split('\n');
    return { heading, text: plainText(lines.join('\n')) };
  });
  const fitting = titled.find(({ heading }) => HEADINGS[part].test(heading));
  if (fitting) return fitting.text;
  if (part === 'caseResult') return titled.at(-1)?.text ?? '';
  return titled[0]?.text || plainText(opening) || plainText(description);
}

/** Sentences that tell a duration, those of the result before the others. */
function timesIn(project: ProjectSubject): string {
  const duration = /\b(days?|weeks?|months?|quarters?|years?)\b/i;
  const told = [sectionOf(project, 'caseResult'), plainText(project.item.full_content)].map((text) =>
    sentencesOf(text).filter((sentence) => duration.test(sentence)),
  );
  return (told.find((sentences) => sentences.length > 0) ?? []).slice(0, 2).join(' ');
}

/** An example of what the conversation is about. */
export function tellExample(turn: Turn): Reply {
  const project = projectOf(turn);
  if (project) return tellOfProject(turn, project, 'caseHow');
  if (turn.named.country) return tellCountries(turn);
  const service = serviceOf(turn);
  const [shown] = service ? turn.names.showing(service) : turn.names.projects;
  return shown && !turn.named.industry ? describeProject(turn, shown) : tellProjects(turn);
}

export function tellReviews(turn: Turn): Reply {
  const client = clientAskedAbout(turn);
  const reviews = client ? reviewsOf(turn, client) : turn.content.reviews.slice(0, 3);
  if (reviews.length > 0) return quoteReviews(turn, reviews);
  return client ? admitUnpublishedOf(turn, client) : tellProjects(turn);
}

/** Words about us of those who work at the company of a project. */
export function reviewsOf({ content }: Turn, { item }: ProjectSubject): Review[] {
  return content.reviews.filter(({ company }) => company !== '' && company === item.company);
}

/** Quotes clients in their own words, each with their role and company. */
export function quoteReviews(
  turn: Turn,
  reviews: readonly Review[],
  intro: 'reviews' | 'difference' = 'reviews',
): Reply {
  return {
    text: [
      say(turn, intro),
      list(
        reviews.map(
          ({ author_name, author_role, company, quote }) =>
            `**${escapeMarkdown(author_name)}**, ${[author_role, company].filter(Boolean).map(escapeMarkdown).join(', ')}: "${escapeMarkdown(plainText(quote))}"`,
        ),
      ),
      say(turn, 'next'),
    ],
    sources: [{ title: reviews[0]?.author_name ?? '', url: '/#testimonials' }],
    asked: 'about the visitor',
  };
}

export function declineGuarantee(turn: Turn): Reply {
  const results = turn.content.projects.filter(({ metric }) => metric).slice(0, 3);
  return {
    text: [
      say(turn, 'guarantee'),
      results.length > 0 && say(turn, 'guaranteeResults', { page: pageLink(turn, 'projects') }),
      results.length > 0 &&
        list(
          results.map(
            ({ title, company, metric }) =>
              `**${escapeMarkdown(title)}**${company ? ` (${escapeMarkdown(company)})` : ''}: ${escapeMarkdown(metric)}`,
          ),
        ),
      say(turn, 'next'),
    ],
    asked: 'about the visitor',
    isUnanswered: true,
  };
}

/** Names projects that have to do with a country; our own places of work are not published. */
export function tellCountries(turn: Turn): Reply {
  const code = turn.named.country?.code;
  const about = code ? turn.names.mentioning(englishCountryName(code), true).slice(0, 3) : [];
  const near = about.length === 0 && code ? turn.names.mentioning(englishCountryName(code)).slice(0, 3) : about;
  return {
    text: [
      about.length === 0 && say(turn, 'unpublished', { topic: say(turn, 'topicThis') }),
      code && near.length > 0 && say(turn, 'abroad', { country: countryName(code, turn.language) }),
      near.length > 0 && list(near.map(lineOf)),
      say(turn, 'personDecides'),
    ],
    sources: near,
    asked: 'about the visitor',
    ...(about.length === 0 && { isUnanswered: true as const }),
    listed: near as Subject[],
  };
}
