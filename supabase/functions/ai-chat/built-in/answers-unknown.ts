/** Answers without a matching published text. */
import { escapeMarkdown, link } from '../wording.ts';
import type { ProjectSubject } from './subjects.ts';
import { formatPhrase, type Reply, type Turn } from './turn.ts';

/**
 * Says that nothing is published about the question, and offers a person.
 * @param topic subject of the question in Markdown, '' if unknown
 * @param relatedPages Markdown list of related pages, or ''
 */
export function admitUnpublished(turn: Turn, topic = '', relatedPages = ''): Reply {
  return {
    text: [
      formatPhrase(turn, 'unpublished', { topic: topic || formatPhrase(turn, 'topicThis') }),
      relatedPages,
      formatPhrase(turn, 'next'),
    ],
    closingQuestion: 'about the visitor',
    isUnanswered: true,
  };
}

/** Says that nothing is published about this for a client, and links to the client's project. */
export function admitUnpublishedOf(turn: Turn, project: ProjectSubject): Reply {
  const topic = formatPhrase(turn, 'topicTheirs', { client: escapeMarkdown(project.item.company || project.title) });
  return { ...admitUnpublished(turn, topic, `- ${link(project.title, project.url)}`), subject: project };
}

/** Says that the answer is unknown, and suggests other questions. */
export function admitNotKnowing(turn: Turn): Reply {
  return { ...admitUnpublished(turn, '', formatPhrase(turn, 'canDo')), closingQuestion: 'goal' };
}
