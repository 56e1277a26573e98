#include <exception>
#include <ostream>

#include "cli/batch.hpp"
#include "cli/commands.hpp"
#include "cli/convert_options.hpp"
#include "cli/status.hpp"
#include "foundation/files.hpp"
#include "report/codes.hpp"
#include "report/strict.hpp"
#include "report/words.hpp"

namespace vesalius::cli {

namespace fs = std::filesystem;

namespace {

std::string shown_name(const std::string& input) {
  return input == standard_stream ? standard_input_name : input;
}

/// Sends the main file to standard output and says which others have no place there.
void write_to_stream(const Translation& translation, std::ostream& out, ConvertedFile& result) {
  const auto& files = translation.files.files;
  const std::vector<std::byte>& bytes = files.front().second;
  out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  if (!out.flush()) {
    result.diagnostics.error(codes::io_cannot_write, "standard output cannot be written", {"<stdout>", 0, 0, {}});
    return;
  }
  result.written.emplace_back("<stdout>", bytes.size());
  for (std::size_t i = 1; i < files.size(); ++i) {
    result.diagnostics.note(codes::translate_side_files, "'" + files[i].first + "' is not written, because the output is standard output",
                            {result.input, 0, 0, {}});
  }
}

void write_to_folder(const ConvertPlan& plan, const ConvertJob& job, const Translation& translation, ConvertedFile& result) {
  if (plan.out_dir) {
    std::error_code error;
    fs::create_directories(*plan.out_dir, error);
    if (error) {
      result.diagnostics.error(codes::io_cannot_write, "the folder cannot be made: " + error.message(), {plan.out_dir->string(), 0, 0, {}});
      return;
    }
  }
  const fs::path folder = fs::path(job.output).parent_path();
  std::vector<FileContents> contents;
  std::vector<std::pair<std::string, std::size_t>> written;
  for (const auto& [name, bytes] : translation.files.files) {
    // The main file is called as the user wrote it, "A.GLB" for instance.
    const fs::path path = contents.empty() ? fs::path(job.output) : folder / name;
    contents.emplace_back(path, bytes);
    written.emplace_back(path.string(), bytes.size());
  }
  if (write_files(contents, result.diagnostics)) result.written = std::move(written);
}

void convert_job(const ConvertPlan& plan, const ConvertJob& job, const MappingTables& tables, Streams streams, ConvertedFile& result) {
  TranslateOptions options = plan.options;
  options.output_folder = fs::path(job.output).parent_path();
  options.side_files = job.output != standard_stream;
  Result<Translation> made;
  if (job.input == standard_stream) {
    options.read.file_name = standard_input_name;
    const auto bytes = read_stream(streams.in, standard_input_name, result.diagnostics);
    if (!bytes) return;
    made = translate(bytes_of(*bytes), plan.format, job.base_name, tables, options);
  } else {
    made = translate(fs::path(job.input), plan.format, job.base_name, tables, options);
  }
  result.diagnostics.append(made.diagnostics);
  if (!made) return;
  result.source = std::move(made->source);
  result.target = std::move(made->target);
  result.conversion = std::move(made->report);
  if (job.output == standard_stream) {
    write_to_stream(*made, streams.out, result);
  } else {
    write_to_folder(plan, job, *made, result);
  }
}

/// One job without exceptions, whatever happens in it.
ConvertedFile converted(const ConvertPlan& plan, const ConvertJob& job, const MappingTables& tables, Streams streams) {
  ConvertedFile result;
  result.input = shown_name(job.input);
  result.format = to_text(plan.format);
  const Location where{result.input, 0, 0, {}};
  try {
    convert_job(plan, job, tables, streams, result);
  } catch (const std::bad_alloc&) {
    result.diagnostics.error(codes::internal_error, "there is not enough memory", where);
  } catch (const std::exception& error) {
    result.diagnostics.error(codes::internal_error, error.what(), where);
  }
  result.status = status_of(result.diagnostics);
  return result;
}

struct Totals {
  std::size_t done = 0;
  std::size_t errors = 0;
  std::size_t warnings = 0;
  std::size_t notes = 0;
  int status = status_done;

  void add(const ConvertedFile& file) {
    if (file.status == status_done) ++done;
    status = std::max(status, file.status);
    add(file.diagnostics);
  }
  void add(const Diagnostics& diagnostics) {
    errors += diagnostics.count(Severity::error);
    warnings += diagnostics.count(Severity::warning);
    notes += diagnostics.count(Severity::note);
  }
  [[nodiscard]] std::string text() const {
    return counted(errors, "error") + ", " + counted(warnings, "warning") + ", " + counted(notes, "note");
  }
};

}  // namespace

int convert_command(const Arguments& arguments, Streams streams) {
  const ConvertPlan plan = convert_plan(arguments);
  const bool to_stream = plan.jobs.front().output == standard_stream;
  std::ostream& summary = to_stream ? streams.err : streams.out;

  Diagnostics general;
  std::vector<ConvertedFile> files(plan.jobs.size());
  Totals totals;
  const auto tables = tables_of(arguments, general);
  if (plan.options.strict) general = promoted(general);
  print(general, plan.quiet, streams.err);
  totals.add(general);
  totals.status = status_of(general);
  if (tables && !general.has_errors()) {
    check_profile(plan, *tables);
    const auto work = [&](std::size_t i) { files[i] = converted(plan, plan.jobs[i], *tables, streams); };
    const auto done = [&](std::size_t i) {
      const ConvertedFile& file = files[i];
      print(file.diagnostics, plan.quiet, streams.err);
      totals.add(file);
      if (plan.quiet) return;
      if (file.status == status_done) {
        summary << printable(file.input) << ": converted\n" << conversion_text(file);
      } else {
        summary << printable(file.input) << ": not converted, " << counted(file.diagnostics.count(Severity::error), "error") << "\n";
      }
    };
    for_each_in_order(plan.jobs.size(), 0, work, done);
  } else {
    files.clear();
  }
  if (!plan.quiet || plan.out_dir) {
    if (plan.out_dir) {
      summary << counted(plan.jobs.size(), "input") << ": " << std::to_string(totals.done) << " converted, "
              << std::to_string(plan.jobs.size() - totals.done) << " not; " << totals.text() << "\n";
    } else {
      summary << totals.text() << "\n";
    }
  }
  if (plan.report) {
    Diagnostics findings;
    deliver(report_json(files, general, totals.status), plan.report->string(), streams.out, findings);
    print(findings, plan.quiet, streams.err);
    totals.status = std::max(totals.status, status_of(findings));
  }
  return totals.status;
}

}  // namespace vesalius::cli
