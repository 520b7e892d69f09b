// A plugin for GCC. It adds a pragma that instantiates the templates which the text before the pragma uses. In a
// precompiled header, GCC keeps only a list of these templates, and instantiates them at the end of every program.
//
// GCC exports these functions and variables to plugins. They are declared here, because the headers that declare them
// are rarely installed.

struct plugin_name_args;
struct plugin_gcc_version;
struct cpp_reader;
enum insert_option { NO_INSERT, INSERT };

extern "C" int get_named_event_id(const char *name, insert_option insert);
extern "C" void register_callback(const char *plugin, int event, void (*callback)(void *, void *), void *data);
void c_register_pragma(const char *space, const char *name, void (*handler)(cpp_reader *));
void instantiate_pending_templates(int retries);

// Not 0 at the end of a source. Only then does GCC decide how the linker treats an instantiated function.
extern int at_eof;

// GCC loads only plugins that have this variable.
extern "C" {
int plugin_is_GPL_compatible;
}

static void instantiate(cpp_reader *) {
    int before = at_eof;
    at_eof = 1;
    instantiate_pending_templates(0);
    at_eof = before;
}

static void register_pragma(void *, void *) { c_register_pragma("referee", "instantiate", instantiate); }

extern "C" int plugin_init(plugin_name_args *, plugin_gcc_version *) {
    int event = get_named_event_id("PLUGIN_PRAGMAS", NO_INSERT);
    if (event < 0) return 1;
    register_callback("referee", event, register_pragma, nullptr);
    return 0;
}
