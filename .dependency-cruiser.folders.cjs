// Cycles between folders. Tests are left out: they may look at anything, so with them every folder needs every other.
const base = require('./.dependency-cruiser.cjs');

module.exports = {
  forbidden: [
    {
      name: 'no-circular-folders',
      comment: 'Merge the folders, or move what both need into a third one.',
      severity: 'error',
      scope: 'folder',
      from: {},
      to: { circular: true },
    },
  ],
  options: {
    ...base.options,
    // Kinds stand above all folders of core, which another rule enforces, with the files that still break it.
    exclude: { path: [base.options.exclude.path, '\\.test\\.tsx?$', '^(test|scripts)/', '^(server|web/src)/kinds/'] },
  },
};
