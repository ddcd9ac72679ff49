import { Briefcase } from 'lucide-react';
import { lazy } from 'react';
import { projectsKind } from '../../data/projects-editing.ts';
import { defineScreen } from '../content/screen.ts';

export const projectsScreen = defineScreen({
  kind: projectsKind,
  path: 'projects',
  heading: 'Projects',
  one: 'project',
  many: 'projects',
  loadingText: 'Loading projects...',
  icon: Briefcase,
  titleColumn: 'title',
  card: (project) => ({ facts: [project.company, project.metric] }),
  Fields: lazy(() => import('./project-fields.tsx')),
});
