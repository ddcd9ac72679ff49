/** Answers to what nothing published answers. */
import { escapeMarkdown, link } from '../wording.ts';
import type { ProjectSubject } from './subjects.ts';
import { type Reply, say, type Turn } from './turn.ts';

/**
 * Says that nothing is published of what was asked, tells what is near, and offers a person.
 * @param topic what was asked about, and @param nearby a list, both in Markdown; '' for none
 */
export function admitUnpublished(turn: Turn, topic = '', nearby = ''): Reply {
  return {
    text: [say(turn, 'unpublished', { topic: topic || say(turn, 'topicThis') }), nearby, say(turn, 'next')],
    asked: 'about the visitor',
    isUnanswered: true,
  };
}

/** Says that nothing of the kind is published about a client, whose project is. */
export function admitUnpublishedOf(turn: Turn, project: ProjectSubject): Reply {
  const topic = say(turn, 'topicTheirs', { client: escapeMarkdown(project.item.company || project.title) });
  return { ...admitUnpublished(turn, topic, `- ${link(project.title, project.url)}`), subject: project };
}

/** Says what can be asked instead, and offers a person. */
export function admitNotKnowing(turn: Turn): Reply {
  return { ...admitUnpublished(turn, '', say(turn, 'canDo')), asked: 'goal' };
}
