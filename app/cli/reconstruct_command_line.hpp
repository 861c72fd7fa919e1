#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "app/cli/regularisation_command_line.hpp"
#include "app/cli/resume/checkpoint_command_line.hpp"
#include "app/cli/scan/gradient_command_line.hpp"
#include "app/cli/scan/scan_command_line.hpp"
#include "app/cli/trust/trust_command_line.hpp"
#include "app/reconstruction/off_resonance/off_resonance_preparation.hpp"
#include "app/reconstruction/options/reconstruct_options.hpp"
#include "app/report/run_record.hpp"
#include "data/files/file_identity.hpp"
#include "data/reading/scan_reader.hpp"

namespace recon {

/// What a user gives to `recon --scan ... --out ...`.
struct ReconstructCommandLine {
    std::string scan_path;
    std::string beside;  ///< the scan as the only word: the image goes beside it
    std::string out_path = "image.h5";
    std::string png_path;
    std::string json_path;
    std::string report_path;
    bool outputs_checked = false;  ///< once no output is an input, a run that fails may write its page
    bool print_config = false;
    std::string config_path;                          ///< of the options that it holds; empty: none
    std::map<std::string, std::string> image_copies;  ///< of the image alone: path by the name of its format
    std::string reference_path;
    std::string coil_maps;  ///< a file, espirit or walsh; empty: those of the scan, else estimated
    std::string body_coil_path;
    ScanCommandLine scan;
    std::vector<std::string> margin;  ///< empty: automatic
    GradientOptions gradients;
    OffResonanceSources off_resonance;
    RegularisationCommandLine regularisation;
    TrustCommandLine trust;
    CheckpointCommandLine checkpoint;
    std::string device = "auto";
    int thread_count = 0;
    std::string memory_limit;  ///< empty: what is free
    std::string cache_folder;  ///< of Q; empty: the user's
    std::string cache_size;    ///< empty: 2 GB
    bool use_cache = true;
    bool keep_partial = false;  ///< of a run that was stopped, the image so far
    bool quiet = false;
    bool verbose = false;
    ReconstructOptions reconstruct;
    std::set<std::string> option_names;  ///< of the program, for messages that name settings
    std::string command;                 ///< that gives the same, for a shell
    RunRecord given;                     ///< all options and their values, for the record
};

/// Declares the options, bound to `line`, which outlives `app`'s parse.
void add_reconstruct_options(CLI::App& app, ReconstructCommandLine& line);

/// Where Q is kept. @throws UsageError if the size cannot be read
DiskCacheOptions cache_options(const ReconstructCommandLine& line);

/// How the run shows how far it is: on a terminal in one line, elsewhere in the log.
Progress progress_of(const ReconstructCommandLine& line);

/// @throws UsageError if an option cannot be read
ScanReadOptions read_options(const ReconstructCommandLine& line, KspaceReading reading);

/// Inputs may be named without the extension of their format, as BART has it.
void complete_names(ReconstructCommandLine& line);

/// The files of a command line under the options that name them; an empty path is none.
std::vector<NamedFile> inputs_of(const ReconstructCommandLine& line);
/// Before there are other threads and large arrays, which another process would have to begin with.
/// @throws InputError as require_sound_hdf5
void look_through_inputs(const ReconstructCommandLine& line);
/// @throws UsageError if a page is asked for of an output that holds no record
void require_record_of_report(const ReconstructCommandLine& line);

std::vector<NamedFile> outputs_of(const ReconstructCommandLine& line);

/// Fails now, rather than after the work, where an output cannot be written or would replace an input.
/// @throws UsageError, InputError
void check_outputs(const ReconstructCommandLine& line);

}  // namespace recon
