/** Answers without a matching published text. */
import { escapeMarkdown, link } from '../wording.ts';
import type { ProjectSubject } from './subjects.ts';
import { type Reply, say, type Turn } from './turn.ts';

/**
 * Says that nothing is published about the question, and offers a person.
 * @param topic subject of the question in Markdown, '' if unknown
 * @param nearby Markdown list of related pages, or ''
 */
export function admitUnpublished(turn: Turn, topic = '', nearby = ''): Reply {
  return {
    text: [say(turn, 'unpublished', { topic: topic || say(turn, 'topicThis') }), nearby, say(turn, 'next')],
    asked: 'about the visitor',
    isUnanswered: true,
  };
}

/** Says that nothing is published about this for a client, and links to the client's project. */
export function admitUnpublishedOf(turn: Turn, project: ProjectSubject): Reply {
  const topic = say(turn, 'topicTheirs', { client: escapeMarkdown(project.item.company || project.title) });
  return { ...admitUnpublished(turn, topic, `- ${link(project.title, project.url)}`), subject: project };
}

/** Says that the answer is unknown, and suggests other questions. */
export function admitNotKnowing(turn: Turn): Reply {
  return { ...admitUnpublished(turn, '', say(turn, 'canDo')), asked: 'goal' };
}
