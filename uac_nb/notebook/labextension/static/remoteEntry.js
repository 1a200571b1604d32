/* Cells for uac_nb: waits for a comm from the kernel and shows domain files as code cells below the cell that asked.
 *
 * A module-federation container written by hand, so that neither node nor a bundler is needed to build or to read it.
 * `init` gets the packages that JupyterLab shares, `get` gives our plugin. See uac_nb/notebook/cells.py for the other side.
 */
(function () {
  'use strict';
  const TARGET = 'uac_nb.cells';
  const KEY = 'uac_nb'; // in a cell's metadata: {domain, hash}; hash is that of the text as we wrote it
  let shared = null;

  async function use(name) {
    const versions = shared[name];
    if (!versions) throw new Error(`uac-nb: JupyterLab does not share ${name}`);
    const factory = await Object.values(versions)[0].get();
    return factory();
  }

  /* FNV-1a: tells whether a text is still as we wrote it. crypto.subtle is not there on plain http. */
  function hash(text) {
    let h = 0x811c9dc5;
    for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193) >>> 0;
    return h.toString(16);
  }

  /* Put the cells of one message into the notebook. Returns the domains whose cells were left alone, since a person changed
   * them, and those whose cells are new. */
  function put(notebook, message) {
    const kept = [];
    const made = [];
    const index = test => notebook.cells.findIndex(test);
    const shows = (cell, domain) => domainOf(cell) === domain || cell.getSource().startsWith(`%%uac_code ${domain} `);
    notebook.transact(() => {
      let at = index(cell => cell.getId() === message.anchor);
      if (at < 0) at = notebook.cells.length - 1;
      for (const { domain, source, was } of message.cells) {
        const mark = { domain, hash: hash(source) };
        const there = was ? at : index(cell => shows(cell, domain));
        if (there < 0) {
          const cell = { cell_type: 'code', source, outputs: [], execution_count: null, metadata: { [KEY]: mark } };
          notebook.insertCell(++at, cell);
          made.push(domain);
          continue;
        }
        const cell = notebook.cells[there];
        const now = cell.getSource();
        const ours = was ? now.trimEnd() === was.trimEnd() : now === source || hash(now) === (cell.getMetadata(KEY) || {}).hash;
        if (ours) {
          if (now !== source) cell.setSource(source);
          cell.setMetadata(KEY, mark);
        } else if (!was) kept.push(domain); // one that was just run and typed in again is simply being edited
        if (there > at) at = there;
      }
    });
    return { kept, made };
  }

  const LINE = '\n# --- state ---\n';

  /* Fold what stands above the line of a domain's cell, in the display alone: its types are long, and its records are
   * what a reader came for. A click on the placeholder, or the arrow beside it, opens them; the text is never touched. */
  function fold(widget, { language, state }) {
    const view = widget.editor && widget.editor.editor;
    if (!view || !view.state) return;
    const text = view.state.doc.toString();
    const from = text.indexOf('\n');
    const to = text.indexOf(LINE);
    if (from < 0 || to <= from || !text.startsWith('%%uac_code ')) return;
    const effects = [language.foldEffect.of({ from, to })];
    if (!view.state.field(language.foldState, false))
      effects.unshift(state.StateEffect.appendConfig.of(language.codeFolding()));
    view.dispatch({ effects });
  }

  const domainOf = cell => (cell.getMetadata(KEY) || {}).domain;

  /* The cells of a notebook that show these domains, each folded once it has its editor. */
  function foldAll(panel, domains, codemirror) {
    for (const widget of panel.content.widgets)
      if (domains.includes(domainOf(widget.model.sharedModel))) widget.ready.then(() => fold(widget, codemirror));
  }

  /* The domains whose cells are folded, which a new text would open. */
  function folded(panel, { language }) {
    const state = widget => widget.editor && widget.editor.editor && widget.editor.editor.state;
    const is = widget => state(widget) && language.foldedRanges(state(widget)).size;
    return panel.content.widgets.filter(is).map(widget => domainOf(widget.model.sharedModel));
  }

  /* Buttons die with their kernel. In a notebook that is opened again only the words above them are kept. */
  function sweep(panel) {
    const dead = output => output.metadata && output.metadata[KEY] && output.metadata[KEY].controls;
    for (const cell of panel.content.model.sharedModel.cells) {
      if (cell.cell_type !== 'code') continue;
      const outputs = cell.getOutputs();
      const kept = outputs.filter(output => !dead(output));
      if (kept.length < outputs.length) cell.setOutputs(kept);
    }
    panel.context.model.dirty = false;
  }

  function plugin(INotebookTracker, Notification, codemirror) {
    function onOpen(panel, open) {
      const message = open.content.data;
      if (!message || !Array.isArray(message.cells)) return;
      const before = folded(panel, codemirror);
      const { kept, made } = put(panel.content.model.sharedModel, message);
      foldAll(panel, [...made, ...before], codemirror);
      for (const domain of kept)
        Notification.warning(
          `The cell of ${domain}.py has changes that were not saved, so it was left as it is. ` +
            `Run it to save them, or delete it and run "%uac_code ${domain}" to see the newest.`,
          { autoClose: false }
        );
    }
    function watch(panel) {
      const register = kernel => kernel && kernel.registerCommTarget(TARGET, (comm, open) => onOpen(panel, open));
      panel.context.ready.then(() => sweep(panel));
      panel.sessionContext.kernelChanged.connect((_, change) => register(change.newValue));
      panel.sessionContext.ready.then(() => register(panel.sessionContext.session && panel.sessionContext.session.kernel));
    }
    return {
      id: 'uac-nb:cells',
      autoStart: true,
      requires: [INotebookTracker],
      activate: (app, tracker) => {
        tracker.forEach(watch);
        tracker.widgetAdded.connect((_, panel) => watch(panel));
      }
    };
  }

  const container = {
    init: scope => { shared = scope; },
    get: async () => {
      const { INotebookTracker } = await use('@jupyterlab/notebook');
      const { Notification } = await use('@jupyterlab/apputils');
      const codemirror = { language: await use('@codemirror/language'), state: await use('@codemirror/state') };
      return () => ({ __esModule: true, default: [plugin(INotebookTracker, Notification, codemirror)] });
    }
  };
  (window._JUPYTERLAB = window._JUPYTERLAB || {})['uac-nb'] = container;
})();
